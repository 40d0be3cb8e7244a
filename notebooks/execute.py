"""Makes the notebooks from the scripts in examples/ and runs them.

    python notebooks/execute.py         # all, in some minutes
    python notebooks/execute.py 05 06   # those whose names start so

A script is text and code: `# %% [markdown]` starts a cell of text, `# %%` one of code, and its
docstring is the title. Notebooks run in an empty folder, and are written only if no cell raises.
Their metadata hold a digest of the code that gave the outputs.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from gonzaga_env.kernel.writing import write_aside

NOTEBOOKS = Path(__file__).resolve().parent
EXAMPLES = NOTEBOOKS.parent / "examples"
OK, FAILED = 0, 2
WIDTH = 900  # of saved pictures, in pixels: an SVG of a game takes 370 kB, such a PNG about 100


def notebook_of(script: str) -> NotebookNode:
    """Returns the notebook of a script, without outputs."""
    docstring = ast.parse(script).body[0]
    title, _, text = ast.literal_eval(docstring.value).partition("\n")
    cells = [new_markdown_cell(f"# {title.rstrip('.')}\n{text}".rstrip(), id="title")]
    code = "\n".join(script.splitlines()[docstring.end_lineno :])
    _, *parts = re.split(r"^# %%(.*)\n", code, flags=re.MULTILINE)
    for number, (kind, body) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        if kind == " [markdown]":
            text = re.sub(r"^# ?", "", body.strip(), flags=re.MULTILINE)
            cells.append(new_markdown_cell(text, id=f"cell-{number}"))
        else:
            cells.append(new_code_cell(body.strip(), id=f"cell-{number}"))
    spec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(
        cells=cells, metadata={"kernelspec": spec, "language_info": {"name": "python"}}
    )


def digest_of(notebook: NotebookNode) -> str:
    """Returns a digest of a notebook's code."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return sha256("\0".join(code).encode()).hexdigest()


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Runs a notebook in a folder and keeps its outputs.

    Raises:
        CellExecutionError: a cell raised; the message holds the cell and the traceback.
    """
    setup = f"__import__('runpy').run_path({__file__!r})['show_pictures_as_png'](get_ipython())"
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        timeout=None,
        record_timing=False,
        coalesce_streams=True,
        # At its usual level a kernel warns that it talks unencrypted, if only to this process.
        extra_arguments=["--log-level=ERROR", f"--IPKernelApp.exec_lines={setup}"],
    )
    client.execute()
    notebook.metadata["executed"] = digest_of(notebook)
    notebook.metadata.language_info = {"name": "python"}  # the kernel's would name its version


def show_pictures_as_png(shell: Any) -> None:
    """Lets a kernel show pictures as PNG of few colors rather than as SVG."""
    from PIL import Image

    def to_png(picture: Any) -> bytes:
        content = io.BytesIO()
        Image.fromarray(picture.to_array(WIDTH)).quantize(256).save(content, "png", optimize=True)
        return content.getvalue()

    where = "gonzaga_env.render.draw", "Picture"
    shell.display_formatter.formatters["image/svg+xml"].for_type_by_name(*where, lambda _: None)
    shell.display_formatter.formatters["image/png"].for_type_by_name(*where, to_png)


def main(names: list[str]) -> int:
    """Makes the notebooks whose names start with one of some texts, or all.

    Returns:
        The exit code: 0, or 2 if there are none or a cell raised.
    """
    scripts = [
        path
        for path in sorted(EXAMPLES.glob("[0-9]*.py"))
        if not names or path.name.startswith(tuple(names))
    ]
    if not scripts:
        print(
            f"execute.py: no script in examples/ starts with {' or '.join(names)}", file=sys.stderr
        )
        return FAILED
    for path in scripts:
        notebook = notebook_of(path.read_text("utf-8"))
        try:
            with tempfile.TemporaryDirectory() as folder:
                execute(notebook, Path(folder))
        except CellExecutionError as error:
            print(f"execute.py: {path.name}: {error}", file=sys.stderr)
            return FAILED
        target = NOTEBOOKS / f"{path.stem}.ipynb"
        write_aside(target, nbformat.writes(notebook) + "\n")
        print(f"wrote {target.name}")
    return OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
