//! Python: what is in rows, containers and generators, and what calls pass on.

use super::check;

#[test]
fn rows_and_containers_know_their_parts() {
    check(
        r#"
#- m.py
class Left:
    def lift(self): ...
class Right:
    def lift(self): ...
def pair():
    return Left(), Right()
def boxed() -> tuple[Left, Right]: ...
def f():
    one, two = pair()
    one.lift()
def g():
    pair()[1].lift()
def h():
    _, two = boxed()
    two.lift()
def by_place(flag):
    side = Left()
    if flag:
        return side
    side = Right()
    return side
def places():
    by_place(True).lift()
def rest():
    first, *others, last = pair()
    others.lift()
    last.lift()
def lists():
    for each in [Left(), Left()]:
        each.lift()
    made = [Right() for _ in range(3)]
    made[0].lift()
    made.lift()
def table(known: dict[str, Right]):
    for key, value in known.items():
        value.lift()
        key.lift()
    named = {"a": Left()}
    named["a"].lift()
    for value in named.values():
        value.lift()
def chained():
    a = b = Left()
    a.lift()
"#,
        &[
            "by_place -> Left",
            "by_place -> Right",
            "chained -> Left",
            "chained -> Left.lift",
            "f -> Left.lift",
            "f -> pair",
            "g -> Right.lift",
            "g -> pair",
            "h -> Right.lift",
            "h -> boxed",
            "lists -> Left",
            "lists -> Left.lift",
            "lists -> Right",
            "lists -> Right.lift",
            "pair -> Left",
            "pair -> Right",
            "places -> Left.lift",
            "places -> Right.lift",
            "places -> by_place",
            "rest -> pair",
            "table -> Left",
            "table -> Left.lift",
            "table -> Right.lift",
        ],
    );
}

#[test]
fn a_generator_gives_what_it_yields() {
    check(
        r#"
#- m.py
from contextlib import contextmanager
from typing import Generator
class Lease:
    def renew(self): ...
@contextmanager
def leased():
    lease = Lease()
    yield lease
@contextmanager
def written() -> Generator[Lease, None, None]:
    yield make()
def each():
    yield Lease()
def all_of():
    yield from each()
class Pool:
    @contextmanager
    def open(self):
        yield self
    def renew(self): ...
def f():
    with leased() as a:
        a.renew()
def g():
    with written() as b:
        b.renew()
def h():
    for c in all_of():
        c.renew()
def i():
    with Pool().open() as pool:
        pool.renew()
"#,
        &[
            "all_of -> each",
            "each -> Lease",
            "f -> Lease.renew",
            "f -> leased",
            "g -> Lease.renew",
            "g -> written",
            "h -> Lease.renew",
            "h -> all_of",
            "i -> Pool",
            "i -> Pool.open",
            "i -> Pool.renew",
            "leased -> Lease",
        ],
    );
}

#[test]
fn functions_from_outside_pass_on_what_they_are_given() {
    check(
        r#"
#- m.py
import collections
import copy
from typing import cast
class Cell:
    def fill(self): ...
class Sheet:
    def __init__(self):
        self.cells: list[Cell] = []
    def all_of(self):
        for number, cell in enumerate(self.cells):
            cell.fill()
            number.fill()
        next(iter(self.cells)).fill()
        for one, other in zip(sorted(self.cells), list(c for c in self.cells)):
            other.fill()
        copy.copy(self.cells[0]).fill()
        collections.deque(self.cells).popleft().fill()
def typed(x):
    cast("Cell", x).fill()
    cast(Cell, x).fill()
def bare():
    cell = object.__new__(Cell)
    cell.fill()
#- own.py
from m import Cell
def sorted(x):
    return 1
def f(cells: list[Cell]):
    sorted(cells)[0].fill()
"#,
        &["Sheet.all_of -> Cell.fill", "bare -> Cell.fill", "f -> sorted", "typed -> Cell.fill"],
    );
}

#[test]
fn an_assigned_alias_is_the_type_that_it_names() {
    check(
        r#"
#- m.py
from typing import Callable, TypeVar, Union
class Grid:
    def cut(self): ...
class Line:
    def cut(self): ...
class Build:
    def step_to(self): ...
Shape = Union[Grid, Line]
Newer = Grid | Line
T_Grid = TypeVar("T_Grid", bound="Grid")
Hook = Callable[[Build], None]
def f(shape: Shape):
    shape.cut()
def g(shape: Newer):
    shape.cut()
def h(grid: T_Grid):
    grid.cut()
def defer(hook: Hook): ...
def i():
    defer(lambda build: build.step_to())
def j(Grid, Line):
    both = Grid | Line
    both.cut()
"#,
        &[
            "f -> Grid.cut",
            "f -> Line.cut",
            "g -> Grid.cut",
            "g -> Line.cut",
            "h -> Grid.cut",
            "i -> Build.step_to",
            "i -> defer",
        ],
    );
}
