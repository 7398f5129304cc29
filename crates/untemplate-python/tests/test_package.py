"""What the package reads is what the program prints."""

import ast
import doctest
import json
import pickle
import threading
from pathlib import Path

import pytest

import untemplate

BASE = "http://cup.example/"


def page_of(pages, name):
    return next((url, body) for url, body in pages.items() if name in url)


def without_page(lines):
    return [{key: value for key, value in line.items() if key != "page"} for line in lines]


def test_records_are_those_of_the_program(program, pages):
    url = BASE + "teams/index.html"
    table = untemplate.records(pages[url], url)
    expected = program.lines("records", url, "--format", "jsonl")
    assert len(table) == len(expected) > 0
    assert [{key: value for key, value in row.items() if value is not None} for row in table] == expected
    assert table[-1] == table.to_list()[-1]
    with pytest.raises(IndexError):
        table[len(table)]


def test_a_page_without_a_list_has_no_rows():
    table = untemplate.records("<p>Nothing here.", BASE)
    assert len(table) == 0 and table.to_list() == []


def test_wrappers_are_those_of_the_program(program, players, tmp_path):
    names = [url for url, _ in players]
    wrapper = untemplate.infer(players)
    assert wrapper.dumps() == program.run("infer", *names)
    file = tmp_path / "player.json"
    wrapper.save(file)
    expected = without_page(program.lines("extract", file, *names[:5]))
    assert wrapper.extract_all(players[:5]) == expected
    for again in (untemplate.Wrapper.load(file), pickle.loads(pickle.dumps(wrapper))):
        assert again.extract(players[0]) == expected[0]


def test_a_decoded_page_reads_as_its_bytes(players):
    wrapper = untemplate.infer(players[:8])
    url, body = players[9]
    assert wrapper.extract((url, body.decode())) == wrapper.extract((url, body))
    latin = "<h1>Zoë</h1>".encode("latin-1")
    read = [untemplate.records(body, BASE) for body in (latin, latin.decode("latin-1"))]
    assert [len(table) for table in read] == [0, 0]


def test_specifications_are_those_of_the_program(program, players, pages, tmp_path):
    wrapper = untemplate.infer(players)
    url = players[0][0]
    texts = {key: value for key, value in wrapper.extract(players[0])["record"].items() if isinstance(value, str)}
    field, value = next((key, value) for key, value in texts.items() if value.isdigit() or len(value) > 3)
    examples = tmp_path / "examples.json"
    examples.write_text(json.dumps({"fields": {field: [{"page": url, "value": value}]}}))
    sample = players[:6]
    specification = untemplate.learn(sample, {field: {url: value}})
    assert specification.dumps() == program.run("learn", *[url for url, _ in sample], "--examples", examples)
    file = tmp_path / "player.xml"
    specification.save(file)
    names = [url for url, _ in players[:5]]
    expected = without_page(program.lines("extract", file, *names))
    assert specification.extract_all(players[:5]) == expected
    assert expected[0]["record"][field] == value
    for again in (untemplate.Specification.load(file), pickle.loads(pickle.dumps(specification))):
        assert again.extract(players[0]) == expected[0]
    assert specification.fields == {"PAGE": [field]}


def test_whatever_is_in_doubt_is_asked(players):
    url = players[0][0]
    texts = untemplate.infer(players).extract(players[0])["record"]
    value = next(value for value in texts.values() if isinstance(value, str) and len(value) > 3)
    asked = []

    def answer(question):
        asked.append(question)
        return question["choices"][0] if question["choices"] else None

    untemplate.learn(players[:6], {"x": {url: value}}, answer=answer)
    assert asked and set(asked[0]) == {"field", "url", "choices"}

    def fails(question):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        untemplate.learn(players[:6], {"x": {url: value}}, answer=fails)


def test_models_classify_as_the_program_does(program, pages, players, tmp_path):
    file = tmp_path / "model.json"
    program.run("model", BASE, "-o", file, "-q")
    model = untemplate.SiteModel.load(file)
    some = [url for url in pages if "?" not in url][::9]
    expected = without_page(program.lines("classify", file, *some))
    assert untemplate.classify(model, [(url, pages[url]) for url in some]) == expected
    again = pickle.loads(pickle.dumps(model))
    assert again.classify((some[0], pages[some[0]])) == expected[0]
    predicted = model.predict(players[0][0])
    assert predicted["class_name"] and 0 < predicted["confidence"] <= 1


def test_a_model_of_pages_tells_them_apart(pages, players):
    model = untemplate.model(pages.items())
    classes = [cl["page_class"] for cl in untemplate.classify(model, players)]
    most = max(set(classes), key=classes.count)
    assert classes.count(most) > len(players) * 0.9
    team = page_of(pages, "/teams/thoronby")
    assert model.classify(team)["page_class"] != most
    assert sum(len(cl["pages"]) for cl in model.classes) >= len(players)


def test_tables_are_arrow_tables(players, pages):
    pa = pytest.importorskip("pyarrow")
    url = BASE + "teams/index.html"
    table = untemplate.records(pages[url], url)
    arrow = pa.table(table)
    assert arrow.to_pylist() == table.to_list()
    assert pa.schema(table) == arrow.schema
    wrapper = untemplate.infer(players)
    read = wrapper.extract_all(players)
    arrow = pa.table(wrapper.table(players))
    assert arrow.column("_url").to_pylist() == [url for url, _ in players]
    for row, one in zip(arrow.to_pylist(), read):
        for key, value in one["record"].items():
            if isinstance(value, str):
                assert row[key] == value
            else:
                present = [{k: v for k, v in inner.items() if v is not None} for inner in row[key]]
                assert present == value


def test_other_libraries_take_tables(players):
    polars = pytest.importorskip("polars")
    table = untemplate.infer(players).table(players)
    assert polars.DataFrame(table).height == len(players)


def test_errors_say_what_to_do(tmp_path):
    with pytest.raises(untemplate.AddressError, match="no address"):
        untemplate.records(b"", "nowhere")
    with pytest.raises(untemplate.FileError, match="cannot read"):
        untemplate.Wrapper.load(tmp_path / "none.json")
    with pytest.raises(untemplate.FormatError, match="no JSON"):
        untemplate.Wrapper.loads("x")
    with pytest.raises(untemplate.FormatError):
        untemplate.Specification.loads("<a/>")
    with pytest.raises(untemplate.LearnError, match="not among the pages"):
        untemplate.learn([(BASE, b"<p>1")], {"x": {BASE + "b": "1"}})
    with pytest.raises(untemplate.Error, match="no pages"):
        untemplate.infer([])
    with pytest.raises(TypeError, match="a page is"):
        untemplate.infer(["http://a.example/"])
    assert issubclass(untemplate.LearnError, untemplate.Error) and issubclass(untemplate.Error, Exception)
    (tmp_path / "later.json").write_text('{"version": 99, "kind": "template"}')
    with pytest.raises(untemplate.FormatError, match="later.json.*version 99"):
        untemplate.Wrapper.load(tmp_path / "later.json")


def test_other_threads_run_meanwhile(players):
    """While pages are read, the interpreter's lock is free: a thread of pure Python comes along."""
    n_turns, done = 0, threading.Event()

    def count():
        nonlocal n_turns
        while not done.is_set():
            n_turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = n_turns
    untemplate.infer(players)
    during = n_turns - before
    done.set()
    counter.join()
    # One switch of threads would give a counter a few thousand turns at the end.
    assert during > 20_000


def test_every_name_has_a_type_and_a_sentence():
    stub = ast.parse((Path(untemplate.__file__).parent / "__init__.pyi").read_text())
    typed = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in untemplate.__all__:
        thing = getattr(untemplate, name)
        assert name in typed, f"{name} has no type"
        assert thing.__doc__, f"{name} is not described"
        if isinstance(thing, type):
            methods = {node.name for node in typed[name].body if isinstance(node, ast.FunctionDef)}
            own = {key for key in vars(thing) if not key.startswith("_")}
            assert own <= methods | set(dir(Exception)), f"{name} has methods without types: {own - methods}"
    assert (Path(untemplate.__file__).parent / "py.typed").exists()


def test_the_example_of_the_package():
    assert doctest.testmod(untemplate).failed == 0


def test_the_document_runs(site_folder, tmp_path, monkeypatch):
    document = Path(__file__).parents[3] / "docs/python.md"
    pytest.importorskip("pyarrow")
    parts = [part.split("```")[0] for part in document.read_text().split("```python\n")[1:]]
    assert len(parts) > 5
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup/site").symlink_to(site_folder)
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for part in parts:
        exec(compile(part, document.name, "exec"), names)
