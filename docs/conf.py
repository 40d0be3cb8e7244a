"""How Sphinx builds the site: `nox -s site`."""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).resolve().parent))
import site_contents
import site_links
import site_reference

from gonzaga_env import __version__

project = "gonzaga_env"
author = "The gonzaga_env authors"
project_copyright = author
version = release = __version__

extensions = [
    "myst_nb",  # Markdown, and notebooks as they are stored
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["search.md", "**/__pycache__"]  # the site calls it search-agents.md

# Markdown, with the anchors of headings that GitHub makes.
myst_enable_extensions = ["colon_fence", "deflist", "html_image"]
myst_heading_anchors = 4
nb_execution_mode = "off"
nb_merge_streams = True

default_role = "code"  # docstrings mark code with single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# What signatures mention of other projects, in lists of our own: no build needs a network.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3/", "_inventories/python.txt"),
    "numpy": ("https://numpy.org/doc/stable/", "_inventories/numpy.txt"),
    "gymnasium": ("https://gymnasium.farama.org/", "_inventories/gymnasium.txt"),
}
nitpick_ignore_regex = [
    # Type variables.
    ("py:class", r"gonzaga_env\.kernel\.[\w.]+\.\w+T"),
    # Names for types, such as Viewer = int | Literal["public", "spectator"], which have no page.
    ("py:class", r"CONFIG|EditionSource|Opponents|Record|Source|ThemeName|Viewer"),
    ("py:class", r"collections\.abc\.Hashable|gonzaga_table\.choices\.Turn"),
    # The insides of games and commands, which appear in fields that are for reading only.
    ("py:class", r"gonzaga_env\.[\w.]+\.(Position|\w+Recorder|LegalSets|RuleOptions|Replayed)"),
    ("py:class", r"gonzaga_env\.(tuscany|signorie)\.[\w.]+\.Edition"),
    ("py:class", r"concurrent\.futures\._base\.Executor|gonzaga_agents\.[\w.]+\.Entrant"),
]

html_theme = "furo"
html_title = f"gonzaga_env {version}"
html_baseurl = site_links.URLS["Documentation"]
html_static_path = ["_static"]
html_extra_path = ["llms.txt"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_favicon = "_static/favicon.svg"
pygments_style, pygments_dark_style = "friendly", "monokai"
html_theme_options = {
    "top_of_page_buttons": [],
    "footer_icons": [{"name": "Source on GitHub", "url": site_links.SOURCE, "html": "GitHub"}],
}


def bring_pages(app: Sphinx, config: object) -> None:
    """Copies notebooks and other pages into the source folder, which Sphinx does not leave."""
    (Path(app.srcdir) / "notebooks").mkdir(exist_ok=True)
    for name, page in site_links.BROUGHT.items():
        shutil.copy2(site_links.ROOT / name, Path(app.srcdir) / page)


def keep_pictures(app: Sphinx) -> None:
    """Lets MyST-NB write the notebooks' pictures beside its other work, not into the checkout."""
    folder = str(Path(app.doctreedir) / "pictures")
    app.env.mystnb_config = app.env.mystnb_config.copy(output_folder=folder)


def complete(app: Sphinx, docname: str, source: list[str]) -> None:
    """Points a page's links to the site or to GitHub, and adds the contents below the page."""
    path = Path(app.env.doc2path(docname))
    for name, page in site_links.BROUGHT.items():
        if path == Path(app.srcdir) / page:
            path = site_links.ROOT / name
    page = site_reference.with_reference(site_links.for_site(source[0], path))
    source[0] = site_contents.with_contents(page, docname)


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """Returns where GitHub shows the lines of an object, for `sphinx.ext.linkcode`."""
    found: Any = sys.modules[info["module"]]
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = inspect.unwrap(found.fget if isinstance(found, property) else found)
    try:
        lines, first = inspect.getsourcelines(found)
    except (OSError, TypeError):  # a value, or an attribute of instances
        return None
    module = found.__module__.replace("gonzaga_agents", "agents").replace(".", "/")
    for file in (f"{module}.py", f"{module}/__init__.py"):
        if (site_links.ROOT / file).exists():
            return f"{site_links.SOURCE}/blob/HEAD/{file}#L{first}-L{first + len(lines) - 1}"
    return None  # of another project


_ARRAY = re.compile(r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[(\S+?)\]\]")


def shorten_types(app: Sphinx, domain: str, objtype: str, content: nodes.Element) -> None:
    """Shows arrays as the signatures in the code do: `NDArray[uint8]`."""
    for types in app.env.current_document.autodoc_annotations.values():
        for name, shown in types.items():
            shown = _ARRAY.sub(r"~numpy.typing.NDArray[\1]", shown)
            shown = re.sub(r"(?<![.\w])Path\b", "~pathlib.Path", shown)  # imported for types only
            types[name] = shown.replace("numpy.random._generator.", "numpy.random.")
    for annotation in content.parent.findall(addnodes.desc_annotation):
        if annotation.astext().startswith(": ndarray[tuple[Any, ...], dtype["):
            _shorten_array(annotation)


def _shorten_array(annotation: nodes.Element) -> None:
    """Does the same for the type of a property or an attribute, which Sphinx has parsed."""
    array, dtype = (
        next(node for node in annotation.findall(addnodes.pending_xref) if node.astext() == name)
        for name in ("ndarray", "dtype")
    )
    array["reftarget"] = "numpy.typing.NDArray"
    array.clear()
    array += nodes.Text("NDArray")
    start, end = annotation.index(array), annotation.index(dtype)
    del annotation[start + 1 : end + 1]  # "[tuple[Any, ...], dtype"
    annotation.pop()  # the bracket of ndarray


def escape_letters(app: Sphinx, *described: object) -> None:
    """Keeps "N." a word: docutils takes it for the start of a list."""
    lines = cast("list[str]", described[-1])
    lines[:] = [re.sub(r"(^\s*|: )(?=[A-Z]\.$)", r"\1\\", line) for line in lines]


def add_play_now(app: Sphinx, page: str, *described: object) -> None:
    """Adds the script and the style sheet of the game in the browser to its page."""
    if page == "play-now":
        app.add_css_file("play/play.css")
        app.add_js_file("play/play.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Connects these steps to Sphinx."""
    app.connect("config-inited", bring_pages)
    app.connect("builder-inited", keep_pictures, priority=900)  # after MyST-NB
    app.connect("source-read", complete)
    app.connect("html-page-context", add_play_now)
    app.connect("object-description-transform", shorten_types, priority=400)  # before autodoc's
    app.connect("autodoc-process-docstring", escape_letters, priority=900)  # after napoleon
