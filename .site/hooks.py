"""Adds to the site the files beside docs/ that pages link to, the Javadoc, and the decisions. See bin/site."""

import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.nav import Link

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"^```(\w+) (\S+)$", re.MULTILINE)
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
SHOWN = (".md", ".svg", ".png", ".json")


def place(path):
    """The place of a file of the repository in the site."""
    return path[5:] if path.startswith("docs/") else "project/" + path


def origin(place):
    return place[8:] if place.startswith("project/") else "docs/" + place


def target(page, link):
    """The file of the repository that a link of a page names; None for other links."""
    if "://" in link or link.startswith(("mailto:", "/")):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def links(page):
    text = CODE.sub("", (ROOT / page).read_text("utf-8"))
    return [found for found in (target(page, link[1]) for link in LINK.findall(text)) if found]


def outside(pages):
    """The files beside docs/ that these pages link to, directly or through others."""
    seen, waiting = set(), list(pages)
    while waiting:
        for link in links(waiting.pop()):
            if link not in seen and not link.startswith("docs/") and link.endswith(SHOWN) and (ROOT / link).is_file():
                seen.add(link)
                # The reports of load tests link to their own files only.
                if link.endswith(".md"):
                    waiting.append(link)
    return sorted(seen)


def on_config(config):
    decisions = sorted(path.name for path in (ROOT / "docs/adr").glob("0*.md"))
    config.nav[-1]["Explanation"][-1]["Decisions"] += ["adr/" + name for name in decisions]
    return config


def added(config, uri, path):
    return File.generated(config, uri, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV)


def on_files(files, config):
    pages = [origin(file.src_uri) for file in files.documentation_pages()]
    for path in outside(pages):
        files.append(added(config, place(path), ROOT / path))
    api = Path(os.environ["SITE_API"])
    for path in sorted(api.rglob("*")):
        # The licences of its libraries are in Markdown.
        if path.is_file() and path.suffix != ".md":
            files.append(added(config, "api/" + path.relative_to(api).as_posix(), path))
    return files


def on_nav(nav, config, files):
    reference = next(item for item in nav.items if item.title == "Reference")
    javadoc = Link("Javadoc of the filter API", "api/index.html")
    javadoc.parent = reference
    reference.children.append(javadoc)
    return nav


def on_page_markdown(markdown, page, config, files):
    source = origin(page.file.src_uri)

    def moved(found):
        path = target(source, found[2])
        if path is None:
            return found[0]
        if files.get_file_from_path(place(path)) is None:
            # The text alone for a script or a directory of the repository. Other links are broken, and fail the build.
            beside = not path.startswith("docs/") and (ROOT / path).exists()
            return found[1][1:-1] if beside else found[0]
        link = posixpath.relpath(place(path), posixpath.dirname(page.file.src_uri) or ".")
        return f"{found[1]}({link}{found[3] or ''})"

    parts = CODE.split(markdown)
    for index, part in enumerate(parts):
        if index % 2 == 0:
            parts[index] = LINK.sub(moved, part)
        else:
            parts[index] = FENCE.sub(titled, part, count=1)
    return "".join(parts)


def titled(fence):
    """Shows the name of a file or a terminal, which follows the language."""
    title = "Terminal: " + fence[2] if fence[1] == "sh" else fence[2]
    return f'```{fence[1]} title="{title}"'
