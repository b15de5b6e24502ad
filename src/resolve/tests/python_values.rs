//! Python: which value a name has where it is used.

use super::check;

#[test]
fn a_name_in_its_own_assignment_is_the_one_before() {
    check(
        r#"
#- m.py
class Draft:
    def seal(self) -> "Letter": ...
class Letter:
    def post(self): ...
    def seal(self): ...
def go():
    item = Draft()
    item = item.seal()
    item.post()
def swap(item: Letter):
    for item in item.pages():
        item.post()
"#,
        &["go -> Draft", "go -> Draft.seal", "go -> Letter.post"],
    );
}

#[test]
fn a_branch_leaves_the_value_before_it_standing() {
    check(
        r#"
#- m.py
class Plain:
    def draw(self): ...
class Fancy:
    def draw(self): ...
class Broken:
    def draw(self): ...
def one_of(flag):
    shape = Plain()
    if flag:
        shape = Fancy()
    shape.draw()
def inside(flag):
    shape = Plain()
    if flag:
        shape = Fancy()
        shape.draw()
    else:
        shape.draw()
def left(flag):
    shape = Plain()
    if flag:
        shape = Broken()
        return shape
    shape.draw()
def either(flag):
    if flag:
        shape = Plain()
    elif flag is None:
        raise ValueError(flag)
    else:
        shape = Fancy()
    shape.draw()
def given(shape: Plain = None):
    if shape is None:
        shape = Fancy()
    shape.draw()
def replaced(flag):
    if flag:
        shape = Broken()
    shape = Plain()
    shape.draw()
def tried():
    try:
        shape = Plain()
    except OSError:
        shape = None
    shape.draw()
def matched(flag):
    match flag:
        case 1:
            shape = Plain()
        case _:
            shape = Fancy()
            shape.draw()
"#,
        &[
            "either -> Fancy",
            "either -> Fancy.draw",
            "either -> Plain",
            "either -> Plain.draw",
            "given -> Fancy",
            "given -> Fancy.draw",
            "given -> Plain.draw",
            "inside -> Fancy",
            "inside -> Fancy.draw",
            "inside -> Plain",
            "inside -> Plain.draw",
            "left -> Broken",
            "left -> Plain",
            "left -> Plain.draw",
            "matched -> Fancy",
            "matched -> Fancy.draw",
            "matched -> Plain",
            "one_of -> Fancy",
            "one_of -> Fancy.draw",
            "one_of -> Plain",
            "one_of -> Plain.draw",
            "replaced -> Broken",
            "replaced -> Plain",
            "replaced -> Plain.draw",
            "tried -> Plain",
            "tried -> Plain.draw",
        ],
    );
}

#[test]
fn a_test_of_the_type_holds_until_the_next_assignment() {
    check(
        r#"
#- m.py
class Cat:
    def call(self): ...
class Dog:
    def call(self): ...
def only(pet):
    if not isinstance(pet, Cat):
        return
    pet.call()
def again(pet):
    if isinstance(pet, Cat):
        pet = Dog()
        pet.call()
def outside(pet):
    if pet:
        assert isinstance(pet, Cat)
    pet.call()
"#,
        &["again -> Dog", "again -> Dog.call", "only -> Cat.call"],
    );
}

#[test]
fn an_inner_function_has_an_instance_of_its_own() {
    check(
        r#"
#- m.py
class Task:
    def retry(self): ...
class Suite:
    def retry(self): ...
    def test(self):
        def body(self: Task):
            self.retry()
        def unknown(self):
            self.retry()
        run(lambda self: self.retry())
        self.retry()
"#,
        &["Suite.test -> Suite.retry", "Suite.test.body -> Task.retry"],
    );
}

#[test]
fn an_attribute_may_have_the_name_of_its_value() {
    check(
        r#"
#- parts.py
class Reader:
    def read_all(self): ...
#- m.py
from parts import Reader
class Tool:
    Reader = Reader
    def run(self):
        self.Reader().read_all()
class Kept(Tool):
    def __init__(self):
        self.reader = self.Reader()
    def run(self):
        self.reader.read_all()
"#,
        &[
            "Kept.__init__ -> Reader",
            "Kept.run -> Reader.read_all",
            "Tool.run -> Reader",
            "Tool.run -> Reader.read_all",
        ],
    );
}

#[test]
fn what_stands_in_for_a_missing_name_hides_nothing() {
    check(
        r#"
#- fast.py
class Pool:
    def start_all(self): ...
def helper(): ...
#- m.py
import os
try:
    import fast
    from fast import helper
except ImportError:
    fast = None
    helper = None
if os.name == "nt":
    _Worker = None
else:
    class _Worker:
        def work(self): ...
if os.name == "nt":
    Store = dict
    store = None
else:
    class Slow:
        def put_all(self): ...
    class Quick:
        def put_all(self): ...
    store = Slow()
    store = Quick()
def f():
    fast.Pool().start_all()
    helper()
    _Worker().work()
    store.put_all()
"#,
        &[
            "f -> Pool",
            "f -> Pool.start_all",
            "f -> Quick.put_all",
            "f -> Slow.put_all",
            "f -> _Worker",
            "f -> _Worker.work",
            "f -> helper",
            "m.py -> Quick",
            "m.py -> Slow",
        ],
    );
}

#[test]
fn a_default_says_the_type_of_a_parameter() {
    check(
        r#"
#- m.py
class Clock:
    def now(self): ...
class Request:
    def send_off(self): ...
def wait(clock=Clock()):
    clock.now()
def make(Request=Request, other=None):
    other.now()
    return Request()
def use():
    make().send_off()
"#,
        &["make -> Request", "use -> Request.send_off", "use -> make", "wait -> Clock", "wait -> Clock.now"],
    );
}

#[test]
fn arguments_do_not_choose_among_definitions() {
    check(
        r#"
#- state.py
import os
def ready(request, store=None):
    first(request)
def first(request): ...
if os.environ.get("BENCH"):
    bare = ready
    def ready(request):
        bare(request)
#- use.py
from state import ready
def f():
    ready(1)
"#,
        &["f -> ready", "ready -> first", "ready -> ready"],
    );
}

#[test]
fn an_attribute_is_worked_out_where_it_is_assigned() {
    check(
        r#"
#- m.py
class Link:
    def ping(self): ...
class Other:
    def ping(self): ...
class Client:
    def __init__(self, link: Other):
        self.link = None
        self.other = link
    def connect(self, link: Link):
        self.link = link
    def check(self):
        self.link.ping()
"#,
        &["Client.check -> Link.ping"],
    );
}

#[test]
fn a_test_keeps_what_was_known() {
    check(
        r#"
#- m.py
from threading import Thread
class Base:
    def run_all(self): ...
class Sub(Base):
    def run_all(self): ...
class Looper(Thread):
    def loop(self): ...
class Plain:
    def loop(self): ...
def f(x: Sub):
    if isinstance(x, Base):
        x.run_all()
def make(flag):
    if flag:
        return Looper()
    return Plain()
def g():
    made = make(True)
    assert isinstance(made, Thread)
    made.loop()
"#,
        &["f -> Sub.run_all", "g -> Looper.loop", "g -> make", "make -> Looper", "make -> Plain"],
    );
}
