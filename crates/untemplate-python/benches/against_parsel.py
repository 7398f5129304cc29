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


ALSO = {
    "title": "//title/text()",
    "club_href": '//dd[@class="club"]/a/@href',
    "date_of_birth_datetime": '//dd[@class="date-of-birth"]/time/@datetime',
    "fee": '//td[@class="fee"]/text()',
    "year": '//td[@class="year"]/text()',
    "from": 'string(//td[@class="from"])',
    "from_href": '//td[@class="from"]/a/@href',
    "page_generated_for_visitor_no": '//p[@class="visitor"]/span/text()',
}
CAREER = {
    "season": './td[@class="season"]/text()',
    "club_2": 'string(./td[@class="club"])',
    "club_href_2": './td[@class="club"]/a/@href',
    "games": './td[@class="games"]/text()',
    "goals": './td[@class="goals"]/text()',
}


def all_by_parsel(body, paths):
    """What the wrapper reads, but for news and biographies, which few pages have."""
    page = Selector(text=body.decode())
    read = {name: page.xpath(path).get() for name, path in {**paths, **ALSO}.items()}
    rows = page.xpath('//section[@class="seasons"]//tbody/tr')
    read["career_list"] = [{name: row.xpath(path).get() for name, path in CAREER.items()} for row in rows]
    return read


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
    n_same = n_had = n_all = n_there = n_rows = n_rows_same = 0
    for page in pages:
        ours, theirs = specification.extract(page)["record"], by_parsel(page[1], paths)
        n_all += len(shown)
        n_same += sum((ours.get(name) or "") == (theirs[name] or "") for name in shown)
        texts = set(map(str, wrapper.extract(page)["record"].values()))
        n_there += sum(bool(theirs[name]) for name in shown)
        n_had += sum(theirs[name] in texts for name in shown if theirs[name])
        career = wrapper.extract(page)["record"].get("career_list", [])
        n_rows += len(career)
        n_rows_same += sum(row in all_by_parsel(page[1], paths)["career_list"] for row in career)
    times = {
        f"parsel, {len(shown)} fields by XPath": best(lambda page: by_parsel(page[1], paths), pages),
        f"specification, the same {len(shown)} fields": best(specification.extract, pages),
        "parsel, what the wrapper reads": best(lambda page: all_by_parsel(page[1], paths), pages),
        "wrapper, everything on the page": best(wrapper.extract, pages),
    }
    n_bytes = sum(len(body) for _, body in pages)
    print(f"{len(pages)} pages of {n_bytes / len(pages) / 1e3:.1f} kB")
    print(f"{n_same} of {n_all} fields are the same by specification; the wrapper has {n_had} of {n_there} values")
    print(f"{n_rows_same} of {n_rows} rows of careers are the same")
    few, specified, many, wrapped = times.values()
    for name, micros in times.items():
        print(f"{name:45} {micros:8.0f} us a page")
    print(f"the same fields by specification {few / specified:.1f} x parsel, by wrapper {many / wrapped:.1f} x parsel")
    print(f"the wrapper with all it reads {few / wrapped:.1f} x parsel with {len(shown)} fields")


if __name__ == "__main__":
    main(sys.argv[1])
