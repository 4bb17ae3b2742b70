"""Checks the links of a built site: links.py DIRECTORY. Each link within it names a file, and an element of that file."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.loaded = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names.update(given[key] for key in ("id", "name") if given.get(key))
        self.links.update(given[key] for key in ("href", "src") if given.get(key))
        if given.get("src"):
            self.loaded.add(given["src"])


def main(directory):
    root = Path(directory).resolve()
    pages = {path: Page(path.read_text("utf-8")) for path in root.rglob("*.html")}
    broken, seen = [], 0
    for path, page in sorted(pages.items()):
        # It is served for any path, so its links are absolute.
        if path == root / "404.html":
            continue
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                # Links to other sites are not checked, but no page loads anything from them.
                if link in page.loaded and parts.scheme != "data":
                    broken.append(f"{path.relative_to(root)}: {link}: loaded from another site")
                continue
            seen += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            fragment = unquote(parts.fragment)
            if not target.is_file():
                broken.append(f"{path.relative_to(root)}: {link}: no such file")
            # Each version of the javadoc command links to some elements that it omits. Names with __ are those of the theme.
            elif fragment and target in pages and root / "api" not in path.parents and not fragment.startswith("__"):
                if fragment not in pages[target].names:
                    broken.append(f"{path.relative_to(root)}: {link}: no such element")
    print(f"site: {len(pages)} pages, {seen} links, {len(broken)} broken")
    for line in broken:
        print(f"site: {line}", file=sys.stderr)
    return 1 if broken or seen < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
