"""Whole sites: the tables are those of the program."""

import sqlite3
from pathlib import Path

import pytest

import untemplate

BASE = "http://cup.example/"


def tables_of(folder):
    """All tables with their rows, by what SQLite says."""
    database = sqlite3.connect(folder / "tables.sqlite")
    names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table' order by name")]
    return {name: sorted(map(repr, database.execute(f'select * from "{name}"'))) for name in names}


@pytest.fixture(scope="module")
def by_program(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    program.run("rebuild", BASE, "-o", folder, "-q")
    return tables_of(folder)


def test_a_mirror_is_rebuilt_as_by_the_program(program, by_program, tmp_path):
    told = []
    rebuilt = untemplate.rebuild(program.mirror, tmp_path, formats=["csv"], progress=told.append)
    assert tables_of(tmp_path) == by_program
    assert rebuilt["complete"] and rebuilt["partial_because"] == []
    assert rebuilt["rows"] == {name: len(by_program[name]) for name in rebuilt["rows"]} != {}
    assert told and told[-1]["pages"] >= rebuilt["pages"] > 100 and set(told[0]) == {"pages", "estimated", "downloads"}
    assert any(file.endswith(".csv") for file in rebuilt["files"])


def test_partitions_are_read_by_class(program, by_program, tmp_path):
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    import duckdb
    import polars

    rebuilt = untemplate.rebuild(program.mirror, tmp_path, formats=["parquet-by-class"])
    folders = sorted((tmp_path / "parquet").glob("class=*/table=*"))
    assert {folder.name[6:] for folder in folders} == set(rebuilt["rows"])
    for folder in folders:
        files, name = f"{folder}/*.parquet", folder.name[6:]
        of_duckdb = duckdb.sql(f"select * from read_parquet('{files}', hive_partitioning = true)")
        of_polars = polars.read_parquet(files, hive_partitioning=True)
        assert {"class", "table"} <= set(of_duckdb.columns) == set(of_polars.columns)
        n_rows = rebuilt["rows"][name]
        assert len(of_duckdb.fetchall()) == n_rows == of_polars.height
        assert of_polars["class"].unique().to_list() == [folder.parent.name[6:]] * bool(n_rows)
        # Values, not only their number: the addresses are those of the database.
        if "url" in of_polars.columns and n_rows:
            urls = [row.split("'")[1] for row in by_program[name] if row.startswith("('http")]
            assert not urls or sorted(of_polars["url"].to_list()) == sorted(urls)


def test_an_exception_in_the_callback_ends_the_job(program, tmp_path):
    def progress(told):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        untemplate.rebuild(program.mirror, tmp_path, progress=progress)
    assert not (tmp_path / "tables.sqlite").exists()


def test_a_warc_file_is_rebuilt_as_by_the_program(program, served, warc, tmp_path):
    untemplate.rebuild(warc, tmp_path / "python", entry=served)
    program.run("rebuild", served, "--warc", warc, "-o", tmp_path / "program", "-q", mirrored=False)
    assert tables_of(tmp_path / "python") == tables_of(tmp_path / "program")


def test_a_warc_file_that_was_cut_off_is_a_part(served, warc, tmp_path):
    cut = tmp_path / "cut.warc.gz"
    whole = Path(warc).read_bytes()
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    rebuilt = untemplate.rebuild(cut, tmp_path / "tables", entry=served)
    assert not rebuilt["complete"]
    assert any("cut.warc.gz is damaged" in why for why in rebuilt["partial_because"])


def test_pages_are_rebuilt(pages, tmp_path):
    rebuilt = untemplate.rebuild(pages.items(), tmp_path, entry=BASE + "index.html")
    assert max(rebuilt["rows"].values()) >= 50


def test_the_live_web_is_rebuilt(served, tmp_path):
    rebuilt = untemplate.rebuild(served, tmp_path, delay=0)
    assert max(rebuilt["rows"].values()) >= 50
    assert (tmp_path / "archive").is_dir()


def test_the_pages_of_a_warc_file(warc, tmp_path, served):
    pages = list(untemplate.read_warc(warc))
    typed = list(untemplate.read_warc(warc, content_type=True))
    assert len(pages) > 100 and [page[:2] for page in typed] == pages
    assert all(url.startswith(served) and b"<" in body for url, body in pages)
    assert all(kind.startswith("text/html") for _, _, kind in typed)
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(warc.read_bytes()[: warc.stat().st_size // 2])
    assert 0 < len(list(untemplate.read_warc(broken))) < len(pages)
    with pytest.raises(untemplate.FileError, match="none.warc"):
        untemplate.read_warc(tmp_path / "none.warc")


def test_what_cannot_be_rebuilt_is_said(tmp_path):
    with pytest.raises(untemplate.SiteError, match="cannot begin"):
        untemplate.rebuild([(BASE, b"<p>x")], tmp_path, entry=BASE + "none")
    with pytest.raises(untemplate.FileError):
        untemplate.rebuild(tmp_path / "none.warc", tmp_path, entry=BASE)
    with pytest.raises(ValueError, match="entry"):
        untemplate.rebuild(tmp_path / "none.warc", tmp_path)
    with pytest.raises(ValueError, match="no format"):
        untemplate.rebuild([(BASE, b"<p>x")], tmp_path, formats=["xls"])


def test_a_reader_reads_pages_one_by_one(program, pages, players, reader_folder, by_program, tmp_path):
    assert not (reader_folder / "tables.sqlite").exists()
    reader = untemplate.SiteReader.load(reader_folder)
    made = untemplate.rebuild(program.mirror, tmp_path, wrappers_only=True)
    assert sorted(made["files"])[0].endswith("model.json") and made["rows"] == {}
    assert untemplate.SiteReader.load(tmp_path).dumps() == reader.dumps()
    read = [reader.read(page) for page in players]
    table = max(read[0]["rows"], key=lambda name: len(by_program[name]))
    rows = [row for page in read for row in page["rows"].get(table, [])]
    assert len(rows) >= len(players) * 0.9
    assert reader.table(table, players).to_list() == rows
    whole = reader.pages(pages.items())
    assert len(whole) == len(pages)
    # Copies and pages that no job asked for are read here, and left out there.
    n_rows = sum(len(row[table]) for row in whole)
    assert n_rows >= len(by_program[table])


def test_bad_pages_are_kept_aside(reader_folder, players):
    reader = untemplate.SiteReader.load(reader_folder)
    bad = [(BASE + "a.pdf", b"%PDF-1.4 \x00\x01"), (BASE + "b", b"<p>Hello"), ("no address", b"<p>x"), (BASE + "c", None)]
    read = reader.pages([*bad, players[0]]).to_list()
    assert [bool(row["problem"]) for row in read] == [True, True, True, True, False]
    assert read[0]["problem"] == "it is no HTML"
    assert read[2]["url"] == "no address" and "no address" in read[2]["problem"]


def test_the_example_for_dask_runs(reader_folder, warc, tmp_path, monkeypatch):
    pytest.importorskip("dask")
    pytest.importorskip("pyarrow")
    document = Path(__file__).parents[3] / "docs/scale.md"
    parts = [part.split("```")[0] for part in document.read_text().split("```python\n")[1:]]
    (tmp_path / "sample").symlink_to(reader_folder)
    monkeypatch.chdir(tmp_path)
    names = {"paths": [str(warc), str(warc)]}
    for part in parts:
        exec(compile(part, document.name, "exec"), names)
    expected = untemplate.SiteReader.load(reader_folder).pages(untemplate.read_warc(warc, content_type=True))
    urls = [row["url"] for row in expected]
    assert [table.column("url").to_pylist() for table in names["tables"]] == [urls, urls]
    assert names["tables"][0].equals(names["tables"][1])
