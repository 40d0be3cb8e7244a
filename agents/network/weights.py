"""Weights as torch saves them: a zip of a pickle and storages, from anybody.

`torch.load(weights_only=True)` runs no code, checks each storage's declared size against the bytes
that are there, and lets no tensor outgrow its storage. It follows references and hashes keys
without bounds, however, so the pickle is looked through first.
"""

from __future__ import annotations

import io
import pickletools
import zipfile
from typing import Any

import torch
from torch import Tensor

from gonzaga_env.tabletop.bounded import PICKLE_BYTES, PICKLE_OPCODES, Archive, short

_NAMES = {
    "collections OrderedDict",
    "torch._utils _rebuild_tensor_v2",
    *(f"torch {kind}Storage" for kind in ("Half", "BFloat16", "Float", "Double")),
}
_OPCODES = {
    *("PROTO", "STOP", "MARK", "GLOBAL", "REDUCE", "BUILD", "BINPERSID"),
    *("BINPUT", "LONG_BINPUT", "BINGET", "LONG_BINGET", "NONE", "NEWTRUE", "NEWFALSE"),
    *("BININT", "BININT1", "BININT2", "BINFLOAT", "BINUNICODE", "EMPTY_DICT", "EMPTY_LIST"),
    *("EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3"),
    *("APPEND", "APPENDS", "SETITEM", "SETITEMS"),
}


def parse_weights(content: bytes) -> Any:
    """Returns what torch saved: tensors of floats in dictionaries, lists and tuples.

    Raises:
        ValueError: it holds anything else, is broken, or claims more than it has.
    """
    archive = Archive(content)
    pickles = [name for name in archive.names if name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise ValueError("is not a file of weights")
    _check_pickle(archive.read(pickles[0], PICKLE_BYTES))
    copy = io.BytesIO()  # as read here, so that torch's reader of zips cannot see another one
    with zipfile.ZipFile(copy, "w") as whole:
        for name in sorted(archive.names):
            whole.writestr(name, archive.read(name))
    copy.seek(0)
    try:
        found = torch.load(copy, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds, some of many lines
        raise ValueError(short(str(error).partition("\n")[0])) from error
    if sum(tensor.numel() * tensor.element_size() for tensor in _tensors(found)) > len(content):
        raise ValueError("has tensors that claim more than the file has")
    return found


def _check_pickle(content: bytes) -> None:
    """Raises ValueError for what plain weights do not have.

    Texts and names alone may be used twice: so what is built is a tree, as small as the pickle.
    """
    reusable: dict[Any, bool] = {}
    before = ""
    for number, (opcode, argument, _) in enumerate(pickletools.genops(content)):
        name = opcode.name
        if name not in _OPCODES or number >= PICKLE_OPCODES:
            raise ValueError(f"a pickle with too many opcodes, or with {name}")
        if name == "GLOBAL" and argument not in _NAMES:
            raise ValueError(f"a pickle that names {short(str(argument))}")
        if name in ("BINPUT", "LONG_BINPUT"):
            reusable[argument] = before in ("BINUNICODE", "GLOBAL")
        elif name in ("BINGET", "LONG_BINGET") and not reusable.get(argument):
            raise ValueError("a pickle that uses a value twice, or within itself")
        before = name


def _tensors(found: Any) -> list[Tensor]:
    """Returns the tensors in dictionaries, lists and tuples."""
    todo, tensors = [found], []
    while todo:
        value = todo.pop()
        if isinstance(value, Tensor):
            tensors.append(value)
        elif isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list | tuple):
            todo += value
    return tensors
