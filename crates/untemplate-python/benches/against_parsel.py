"""Extraction through Python against parsel with the same fields, in one run.

    untemplate demo --players 600 --write cup
    python against_parsel.py cup/site/players

The fields are the heading and every labelled value of a page. parsel takes them by XPaths written by hand; ours by a
specification that is learnt here from one page, and by an inferred wrapper, which reads all else on the page as well.
What both read is compared first. Times are CPU time of one thread, pages to dicts, the best of three rounds.
"""

import sys
import time
from pathlib import Path

from parsel import Selector

import untemplate


def by_parsel(body, paths):
    page = Selector(text=body.decode())
    read = {name: page.xpath(path).get() for name, path in paths.items()}
    return {name: value and " ".join(value.split()) for name, value in read.items()}


def best(read, pages):
    times = []
    for _ in range(3):
        began = time.process_time()
        for page in pages:
            read(page)
        times.append(time.process_time() - began)
    return min(times) / len(pages) * 1e6


def main(folder):
    files = sorted(file for file in Path(folder).glob("*.html") if file.name != "index.html")
    pages = [(f"http://cup.example/players/{file.name}", file.read_bytes()) for file in files]
    first = Selector(text=pages[0][1].decode())
    labels = [label for label in first.xpath("//main//dt/text()").getall() if '"' not in label]
    paths = {label: f'string(//dt[normalize-space()="{label}"]/following-sibling::dd[1])' for label in labels}
    paths["name"] = "string(//h1)"
    shown = {name: value for name, value in by_parsel(pages[0][1], paths).items() if value}
    answers = dict(pages)

    def answer(question):
        value = by_parsel(answers[question["url"]], paths)[question["field"]]
        return [value] if value else []

    examples = {name: {pages[0][0]: value} for name, value in shown.items()}
    specification = untemplate.learn(pages[:12], examples, answer=answer)
    wrapper = untemplate.infer(pages[:40])
    n_same = n_all = 0
    for page in pages:
        ours, theirs = specification.extract(page)["record"], by_parsel(page[1], paths)
        n_all += len(shown)
        n_same += sum((ours.get(name) or "") == (theirs[name] or "") for name in shown)
    times = {
        f"parsel, {len(shown)} fields by XPath": best(lambda page: by_parsel(page[1], paths), pages),
        f"specification, the same {len(shown)} fields": best(specification.extract, pages),
        "wrapper, everything on the page": best(wrapper.extract, pages),
    }
    n_bytes = sum(len(body) for _, body in pages)
    print(f"{len(pages)} pages of {n_bytes / len(pages) / 1e3:.1f} kB; {n_same} of {n_all} values are the same")
    slowest = next(iter(times.values()))
    for name, micros in times.items():
        print(f"{name:45} {micros:8.0f} us a page  {slowest / micros:5.1f} x parsel")


if __name__ == "__main__":
    main(sys.argv[1])
