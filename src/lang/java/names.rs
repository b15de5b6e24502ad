//! Names that Java has without an import, and names that say nothing of whose they are.

/// The types of `java.lang`.
#[rustfmt::skip]
pub const BUILTINS: &[&str] = &[
    "AbstractMethodError", "Appendable", "ArithmeticException", "ArrayIndexOutOfBoundsException",
    "ArrayStoreException", "AssertionError", "AutoCloseable", "Boolean", "Byte", "CharSequence", "Character",
    "Class", "ClassCastException", "ClassLoader", "ClassNotFoundException", "CloneNotSupportedException",
    "Cloneable", "Comparable", "Deprecated", "Double", "Enum", "Error", "Exception",
    "ExceptionInInitializerError", "Float", "FunctionalInterface", "IllegalAccessException",
    "IllegalArgumentException", "IllegalMonitorStateException", "IllegalStateException",
    "IndexOutOfBoundsException", "InheritableThreadLocal", "InstantiationException", "Integer", "InternalError",
    "InterruptedException", "Iterable", "LinkageError", "Long", "Math", "Module", "NegativeArraySizeException",
    "NoClassDefFoundError", "NoSuchFieldError", "NoSuchFieldException", "NoSuchMethodError",
    "NoSuchMethodException", "NullPointerException", "Number", "NumberFormatException", "Object",
    "OutOfMemoryError", "Override", "Package", "Process", "ProcessBuilder", "Readable", "Record",
    "ReflectiveOperationException", "Runnable", "Runtime", "RuntimeException", "SafeVarargs",
    "SecurityException", "SecurityManager", "Short", "StackOverflowError", "StackTraceElement", "StackWalker",
    "StrictMath", "String", "StringBuffer", "StringBuilder", "StringIndexOutOfBoundsException",
    "SuppressWarnings", "System", "Thread", "ThreadGroup", "ThreadLocal", "Throwable", "TypeNotPresentException",
    "UnsupportedOperationException", "VirtualMachineError", "Void", "boolean", "byte", "char", "double", "float",
    "int", "long", "short", "void",
];

/// Methods that values from outside of the repository have: their names alone say nothing.
#[rustfmt::skip]
pub const COMMON_MEMBERS: &[&str] = &[
    "addListener", "addSuppressed", "afterPropertiesSet", "assertEquals", "assertThat", "assertThrows",
    "assertTrue", "availableProcessors", "charValue", "containsExactly", "containsKey", "containsValue",
    "currentThread", "defaultValue", "doesNotContain", "doubleValue", "elementAt", "emptyList", "ensureCapacity",
    "floatValue", "getActualTypeArguments", "getAnnotation", "getAnnotations", "getAttribute", "getBytes",
    "getClassLoader", "getComponentType", "getConstructor", "getDeclaredConstructor", "getDeclaredField",
    "getDeclaredFields", "getDeclaredMethod", "getDeclaredMethods", "getDeclaringClass", "getEnclosingClass",
    "getGenericSuperclass", "getInputStream", "getInstance", "getInterfaces", "getLocalizedMessage", "getMessage",
    "getMethod", "getMethods", "getModifiers", "getOrDefault", "getOutputStream", "getParameterTypes",
    "getProperty", "getRawType", "getResource", "getResourceAsStream", "getReturnType", "getSimpleName",
    "getStackTrace", "getSuperclass", "getTimeZone", "hasNextLine", "initCause", "instanceOf", "isAnnotationPresent",
    "isAssignableFrom", "isAnonymousClass", "isEqualTo", "isInterface", "isInstance", "isInstanceOf", "isInterrupted",
    "isNotEqualTo", "isNotNull", "isPresent", "isPrimitive", "isSameInstanceAs", "lastIndexOf", "listIterator",
    "loadClass", "nextElement", "newInstance", "onComplete", "onError", "orElseGet", "orElseThrow", "parallelStream",
    "pollFirst", "pollLast", "printStackTrace", "propertyNames", "putIfAbsent", "readLine", "readObject",
    "removeFirst", "removeLast", "replaceAll", "runFinalization", "setAccessible", "setAttribute", "setProperty",
    "setTimeZone", "shutdownNow", "startsWith", "toByteArray", "toCharArray", "toLowerCase", "toUpperCase",
    "unmodifiableList", "unmodifiableMap", "unmodifiableSet", "writeObject", "writeReplace", "writeTo",
];

/// What heirs have from types that are often extended.
#[rustfmt::skip]
pub const FOREIGN_MEMBERS: &[(&[&str], &[&str])] = &[
    (
        &["Object"],
        &["clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"],
    ),
    (
        &[
            "Throwable", "Exception", "RuntimeException", "Error", "AssertionError", "IOException",
            "IllegalArgumentException", "IllegalStateException", "UnsupportedOperationException",
        ],
        &[
            "addSuppressed", "fillInStackTrace", "getCause", "getLocalizedMessage", "getMessage",
            "getStackTrace", "getSuppressed", "initCause", "printStackTrace", "setStackTrace",
        ],
    ),
    (&["Serializable", "Cloneable", "RandomAccess", "Record"], &[]),
    (&["Runnable"], &["run"]),
    (&["Callable"], &["call"]),
    (&["Closeable", "AutoCloseable"], &["close"]),
    (&["Flushable"], &["flush"]),
    (&["Comparable"], &["compareTo"]),
    (
        &["Comparator"],
        &["compare", "reversed", "thenComparing", "thenComparingDouble", "thenComparingInt", "thenComparingLong"],
    ),
    (&["Iterable"], &["forEach", "iterator", "spliterator"]),
    (&["Iterator"], &["forEachRemaining", "hasNext", "next", "remove"]),
    (&["Supplier"], &["get"]),
    (&["Consumer", "BiConsumer"], &["accept", "andThen"]),
    (&["Function", "UnaryOperator"], &["andThen", "apply", "compose"]),
    (&["BiFunction", "BinaryOperator"], &["andThen", "apply"]),
    (&["Predicate", "BiPredicate"], &["and", "negate", "or", "test"]),
    (&["CharSequence"], &["charAt", "chars", "codePoints", "isEmpty", "length", "subSequence"]),
    (&["InvocationHandler"], &["invoke"]),
    (&["ThreadFactory"], &["newThread"]),
    (&["UncaughtExceptionHandler"], &["uncaughtException"]),
    (&["PrivilegedAction", "PrivilegedExceptionAction"], &["run"]),
    (&["Annotation"], &["annotationType"]),
    (&["Type"], &["getTypeName"]),
    (&["ParameterizedType"], &["getActualTypeArguments", "getOwnerType", "getRawType", "getTypeName"]),
    (&["GenericArrayType"], &["getGenericComponentType", "getTypeName"]),
    (&["WildcardType"], &["getLowerBounds", "getTypeName", "getUpperBounds"]),
];
