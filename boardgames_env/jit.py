"""The one place that knows Numba: how functions are compiled, and where compiled code is kept.

Game functions are marked `@jit`. What Python calls are *kernels*: loops over many rows, bound to one game's
functions by `kernel`. Only kernels are cached on disk; the functions they call are compiled into them.

Numba's own cache notices a change only in the file of the cached function itself. Ours lies in a folder named
after a hash of every source file the code can come from, so stale code cannot be loaded. Set
`BOARDGAMES_CACHE_DIR` to move it; a cache that is full, damaged or not writable costs a compilation, never an error.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import types as python_types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numba.core.config
import numpy as np
import platformdirs
from numba.core import cgutils, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

_CONFIG: Any = numba.core.config
DISABLED = bool(_CONFIG.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: the same source as plain Python
KEPT_FOLDERS = 8  # caches of older sources are pruned, the most recently used ones stay

_OPTIONS: dict[str, Any] = {"nogil": True}  # kernels run in threads; see batch.py
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_PACKAGE = Path(__file__).resolve().parent


def jit(function: Callable) -> Any:
    """Compile a function that kernels call. Small functions are free: they are inlined."""
    compiled = numba.njit(**_OPTIONS)(function)
    return compiled if DISABLED else _lightly_compiled_for_kernels(compiled)


def _lightly_compiled_for_kernels(compiled: Any) -> Any:
    """Make compiled code that calls this function use versions that are quicker to compile, and to call.

    They have no wrappers, through which Python would call them, and there is one for all integers: signed ones come
    as int64 instead of as their own type or literal. A function called by a kernel that does not allocate counts no
    references to arrays either.
    """

    @functools.cache
    def version(allocates: bool) -> Any:
        options = _OPTIONS | _NO_WRAPPERS | {"_nrt": allocates}
        return numba.njit(**options)(compiled.py_func)

    def wanted() -> Any:
        return version(ConfigStack().top().nrt)  # as the function that is just being compiled, the caller

    def get_call_template(args: Any, kws: Any) -> Any:
        return wanted().get_call_template([_widened(a) for a in args], {k: _widened(a) for k, a in kws.items()})

    compiled.get_call_template = get_call_template
    compiled.get_overload = lambda signature: wanted().get_overload(signature)
    return compiled


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if kind in types.signed_domain else kind


def is_compiled(function: Any) -> bool:
    """Whether it is a function under `jit`, which kernels can call."""
    return callable(function) and (DISABLED or hasattr(function, "py_func"))


def wraps_around(function: Callable) -> Any:
    """As `jit`, for arithmetic that is meant to overflow: without compilation NumPy would warn of it."""
    return np.errstate(over="ignore")(function) if DISABLED else jit(function)


def kernel(template: Callable, name: str, allocates: bool = True, **functions: Callable) -> Any:
    """Compile a copy of `template` whose global names in `functions` mean these functions.

    A copy with a name of its own is found again in the cache by the next process, which is not so for functions
    handed over as arguments or in closures. `name` says for which game: `kernel(step_rows, "fungi-2", step=step)`.

    Without `allocates` nothing in it, nor in what it calls, shall make an array, a list or a string. Nobody then counts
    references to arrays, an atomic operation at every call that takes one. A kernel that does allocate is compiled with
    counting all the same, and is that much slower; its attribute `counts` then says so.
    """
    folder = None if DISABLED else _cache_folder([template, *functions.values()])

    def compiled(suffix: str, counts: bool) -> Any:
        copy = _copy(template, f"{name}-{_identity(functions)}{suffix}", functions)
        return copy if DISABLED else _compiled(copy, folder, counts)

    if DISABLED or allocates:
        return compiled("", True)
    return _counting_if_need_be(compiled("", False), compiled("-counting", True))


def unbound(*args: Any) -> Any:
    """What the names of functions in a template mean until `kernel` or `bind` gives them others."""
    raise RuntimeError("a template was called before jit.kernel bound it to a game")


def bind(template: Callable, **functions: Callable) -> Any:
    """As `jit`, for a copy of `template` whose global names in `functions` mean these: for kernels to be bound to."""
    return jit(_copy(template, _identity(functions), functions))


def _copy(template: Callable, name: str, functions: dict[str, Callable]) -> Any:
    scope = {**template.__globals__, **functions}
    copy = python_types.FunctionType(template.__code__, scope, template.__name__, template.__defaults__)
    copy.__qualname__ = f"{template.__name__}.{name}"
    copy.__module__ = template.__module__
    return copy


def _compiled(function: Callable, folder: Path | None, counts: bool) -> Any:
    options = {"_nrt": counts, "no_cfunc_wrapper": True, **_OPTIONS}
    if folder is None:
        return numba.njit(**options)(function)
    before, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, str(folder)
    try:
        compiled = numba.njit(cache=True, **options)(function)
    finally:
        _CONFIG.CACHE_DIR = before
    _forgive(getattr(compiled, "_cache", None))
    compiled.compile = _with_names_of_its_own(compiled.compile)
    return compiled


class _RandomNumbers:
    def __next__(self) -> int:
        return int.from_bytes(os.urandom(8), "big")


def _with_names_of_its_own(compile_one: Callable) -> Callable:
    """`Dispatcher.compile`, with random numbers in the names of the functions that it compiles.

    Numba counts 1, 2, 3 … in every process, and puts such counts for records as well. A process that loaded what others
    had cached then took functions for the like-named ones of another game or number of players, and played by the wrong
    rules without a word (numba/numba#10486).
    """

    def compile_apart(signature: Any) -> Any:
        with global_compiler_lock:
            names: Any = FunctionIdentity
            before, names._unique_ids = names._unique_ids, _RandomNumbers()
            try:
                return compile_one(signature)
            finally:
                names._unique_ids = before

    return compile_apart


def _counting_if_need_be(quick: Any, counting: Any) -> Any:
    """`quick`, which does with the code of `counting` what it cannot compile itself."""
    compile_quick = quick.compile
    quick.counts = False

    def compile_either(signature: Any) -> Any:
        if not is_cached(counting):
            try:
                return compile_quick(signature)
            except Exception:  # it allocates, which fails in many ways, or is wrong, which the second attempt will name
                pass
        counting.compile(signature)
        arguments, _ = normalize_signature(signature)
        overload = counting.overloads[arguments]
        quick.add_overload(overload)
        quick.counts = True
        return overload.entry_point

    quick.compile = compile_either
    return quick


def is_cached(compiled: Any) -> bool:
    """Whether an earlier process left compiled code for this kernel (a guess, good enough for a message)."""
    if DISABLED:
        return True
    path = getattr(compiled.stats, "cache_path", None)
    return path is not None and any(Path(path).glob(f"*.{compiled.py_func.__qualname__}-*.nbi"))


def plain(function: Any) -> python_types.FunctionType:
    """The Python function behind a compiled one, for single calls from Python: it need not be compiled."""
    return getattr(function, "py_func", function)


def _identity(functions: dict[str, Callable]) -> str:
    """Tells apart two sets of functions of one name from the same files (variants made by a factory, say)."""
    digest = hashlib.sha256()
    for role, function in sorted(functions.items()):
        source = plain(function)
        code = source.__code__
        digest.update(f"{role} {source.__module__} {source.__qualname__} {code.co_firstlineno}".encode())
        digest.update(code.co_code)
    return digest.hexdigest()[:12]


def records(array: np.ndarray) -> np.ndarray:
    """A structured array as kernels take it fastest: Numba spends microseconds a call on finding out what a recarray
    is. Where nothing is compiled, fields are reached as attributes, so there it must be one."""
    return array.view(np.recarray if DISABLED else np.ndarray)


def _on_stack(element: Any) -> Callable:
    kind = types.Array(element, 1, "C")

    def array(typing: Any, size: Any) -> Any:
        if not isinstance(size, types.IntegerLiteral):
            return None

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = context.get_value_type(element)
            width = context.get_abi_sizeof(value)
            count, itemsize = (context.get_constant(types.intp, n) for n in (size.literal_value, width))
            memory = cgutils.alloca_once(builder, value, size=count)
            cgutils.memset(builder, memory, count.type(size.literal_value * width), 0)
            view = make_array(kind)(context, builder)
            populate_array(view, data=memory, shape=[count], strides=[itemsize], itemsize=itemsize, meminfo=None)
            return view._getvalue()

        return kind(size), code

    return array


def _on_heap(dtype: type) -> Callable:
    return lambda size: np.zeros(size, dtype)


# `scratch(SIZE)`, with a constant: int8[SIZE], all 0, for use within one function and what that calls. It costs nothing
# in compiled code, where `np.zeros` allocates memory. `scratch_floats(SIZE)`: the same as float64[SIZE], and
# `scratch_singles(SIZE)` as float32[SIZE].
scratch: Any = _on_heap(np.int8) if DISABLED else intrinsic(_on_stack(types.int8))
scratch_floats: Any = _on_heap(np.float64) if DISABLED else intrinsic(_on_stack(types.float64))
scratch_singles: Any = _on_heap(np.float32) if DISABLED else intrinsic(_on_stack(types.float32))


_BYTES = (types.int8, types.uint8, types.boolean)


def _load_eight(typing: Any, bytes_: Any, start: Any) -> Any:
    if not (isinstance(bytes_, types.Array) and bytes_.layout == "C" and bytes_.dtype in _BYTES):
        return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = builder.gep(make_array(bytes_)(context, builder, args[0]).data, [args[1]])
        word = context.get_value_type(types.uint64)
        loaded = builder.load(builder.bitcast(first, word.as_pointer()), align=1)
        return loaded if sys.byteorder == "little" else builder.bswap(loaded)

    return types.uint64(bytes_, types.intp), code


def _eight_of(bytes_: np.ndarray, start: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes_[start : start + 8].tobytes(), "little"))


# `eight(bytes, start)`: the bytes start … start + 7 of an int8 array as one u8, the first of them lowest.
eight: Any = _eight_of if DISABLED else intrinsic(_load_eight)


def _copy_bytes(typing: Any, target: Any, source: Any) -> Any:
    for kind in (target, source):
        if not (isinstance(kind, types.Array) and kind.layout == "C" and kind.ndim == 1 and kind.dtype in _BYTES):
            return None

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, from_ = (make_array(kind)(context, builder, arg) for kind, arg in zip(signature.args, args))
        cgutils.raw_memcpy(builder, to.data, from_.data, from_.nitems, from_.itemsize)
        return context.get_dummy_value()

    return types.void(target, source), code


def _copy_elements(target: np.ndarray, source: np.ndarray) -> None:
    target[:] = source


# `copy(target, source)`: all bytes of an int8 array into another of the same length. A loop would move them one by one,
# as for all that the compiler knows the two might overlap.
copy: Any = _copy_elements if DISABLED else intrinsic(_copy_bytes)


def _bytes_of_record(typing: Any, record: Any) -> Any:
    if not isinstance(record, types.Record):
        return None
    kind = types.Array(types.uint8, 1, "C")

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = make_array(kind)(context, builder)
        count, one = (context.get_constant(types.intp, n) for n in (record.size, 1))
        memory = builder.bitcast(args[0], context.get_value_type(types.uint8).as_pointer())
        populate_array(view, data=memory, shape=[count], strides=[one], itemsize=one, meminfo=None)
        return view._getvalue()

    return kind(record), code


# `bytes_of(record)`: its memory as uint8[itemsize].
bytes_of: Any = (lambda record: np.frombuffer(record, np.uint8)) if DISABLED else intrinsic(_bytes_of_record)


# --- The cache folder ---------------------------------------------------------------------------------------


def cache_root() -> Path:
    """The folder that holds all caches of this library."""
    override = os.environ.get("BOARDGAMES_CACHE_DIR")
    return Path(override) if override else platformdirs.user_cache_path("boardgames-env") / "numba"


def _cache_folder(functions: list[Callable]) -> Path | None:
    """Where the code made from these functions is cached; None if it must not or cannot be."""
    sources = [plain(f) for f in functions]
    if any(f.__closure__ for f in sources):  # code that depends on values no source file shows
        return None
    roots = {_PACKAGE}
    for f in sources:
        file = Path(f.__code__.co_filename)
        if not file.is_file():  # typed at a prompt
            return None
        roots.add(_source_root(file.resolve()))
    digest = hashlib.sha256(_settings().encode())
    for root in sorted(roots):
        digest.update(_hash_of(root))
    return _prepared(cache_root() / digest.hexdigest()[:20])


def _settings() -> str:
    """What compiled code depends on beside its source. (The processor is in Numba's own key.)"""
    flags = [f"{name}={getattr(_CONFIG, name, None)}" for name in ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "OPT")]
    return " ".join([sys.version, numba.__version__, np.__version__, *flags])


def _source_root(file: Path) -> Path:
    """The outermost package that holds the file, or its folder."""
    root = file.parent
    while (root / "__init__.py").exists() and (root.parent / "__init__.py").exists():
        root = root.parent
    return root


@functools.cache
def _hash_of(root: Path) -> bytes:
    """Hash of all Python source under a package, or directly in a folder that is none."""
    pattern = "**/*.py" if (root / "__init__.py").exists() else "*.py"
    digest = hashlib.sha256()
    for file in sorted(root.glob(pattern)):
        digest.update(str(file.relative_to(root)).encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.digest()


@functools.cache
def _prepared(folder: Path) -> Path | None:
    """Make the folder if need be and prune others; None if it cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)  # the time of last use
        folders = [f for f in folder.parent.iterdir() if f.is_dir()]
        for old in sorted(folders, key=lambda f: f.stat().st_mtime, reverse=True)[KEPT_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return folder if os.access(folder, os.W_OK) else None
    return folder


def _forgive(cache: Any) -> None:
    """Let a damaged or full cache cost a compilation only."""
    if not hasattr(cache, "load_overload"):  # Numba keeps it elsewhere: then its own behaviour has to do
        return

    load, save = cache.load_overload, cache.save_overload

    def load_overload(signature: Any, target: Any) -> Any:
        try:
            return load(signature, target)
        except Exception:  # damaged files fail in every way that unpickling can
            with contextlib.suppress(OSError):
                cache.flush()
            return None

    def save_overload(signature: Any, data: Any) -> None:
        with contextlib.suppress(Exception):  # no space, no permission, no folder any more
            save(signature, data)

    cache.load_overload, cache.save_overload = load_overload, save_overload
