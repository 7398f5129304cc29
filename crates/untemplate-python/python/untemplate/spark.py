"""Spark: archives of pages to the rows of a site's tables, in every partition by itself.

What reads the pages is made once, from a sample (``untemplate rebuild ENTRY --wrappers-only --warc SAMPLE -o FOLDER``);
its schema is known before the first page is read, and no page is moved between machines::

    reader = untemplate.SiteReader.load("FOLDER")
    pages = untemplate.spark.read(untemplate.spark.warc_pages(spark, paths), reader)
    pages.write.parquet("pages")                                   # every page once, bad ones included
    untemplate.spark.table(pages, reader, "player").show()
    untemplate.spark.bad(pages).groupBy("problem").count().show()

A page that cannot be read, or is like none of the sample, is a row with a ``problem`` and no rows of tables: it is kept
aside and ends nothing.
"""

from typing import Any, Callable, Iterable, Iterator

import pyarrow as pa

from . import Error, SiteReader, read_warc

PAGE_SCHEMA = "url string, body binary, content_type string, problem string"
"""What :func:`read` takes: a table of these columns; ``content_type`` and ``problem`` may be missing."""

BATCH_PAGES = 64
"""Pages that are read at a time: enough for the work to outweigh the call, few enough to hold their bodies."""


def schema(reader: SiteReader) -> Any:
    """The Spark schema of what :func:`read` gives: the first four columns, and a list of rows for each table."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(arrow_schema(reader))


def arrow_schema(reader: SiteReader) -> pa.Schema:
    """The same for Arrow. Not every Spark has a time of day: it is text here."""
    return pa.schema(reader.pages([], time_of_day=False))


def read(pages: Any, reader: SiteReader) -> Any:
    """Reads a DataFrame of pages: a row a page, with its class, what is wrong with it, and its rows of each table."""
    return pages.mapInArrow(reading(reader), schema(reader))


def table(pages: Any, reader: SiteReader, name: str) -> Any:
    """The rows of one table of the site, of what :func:`read` gave."""
    from pyspark.sql import functions

    if name not in reader.tables:
        raise KeyError(f"there is no table {name}; there are {', '.join(reader.tables)}")
    column = arrow_schema(reader).names[4 + list(reader.tables).index(name)]
    quoted = "`" + column.replace("`", "``") + "`"
    return pages.select(functions.explode(functions.col(quoted)).alias("row")).select("row.*")


def bad(pages: Any) -> Any:
    """The pages that gave no rows, and why, of what :func:`read` gave."""
    return pages.where("problem is not null").select("url", "problem")


def warc_pages(spark: Any, paths: Iterable[str], partitions: Any = None) -> Any:
    """The pages of WARC files that every executor can open; a file is read by one task."""
    paths = list(paths)
    files = spark.createDataFrame([(path,) for path in paths], "path string")
    files = files.repartition(partitions or max(1, len(paths)))
    return files.mapInArrow(_open_all, PAGE_SCHEMA)


def reading(reader: SiteReader) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a task runs: it carries the reader as text, and parses it once."""
    text = reader.dumps()

    def read_task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return read_batches(SiteReader.loads(text), batches)

    return read_task


def read_batches(reader: SiteReader, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Reads record batches of pages. It needs no Spark: Dask, Ray and others can call it for every partition."""
    wanted = arrow_schema(reader)
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_PAGES):
            yield from _read_batch(reader, batch.slice(start, BATCH_PAGES), wanted)


def _read_batch(reader: SiteReader, batch: pa.RecordBatch, wanted: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = batch.to_pylist()
    pages = [(row["url"], row["body"], row.get("content_type")) for row in rows if not row.get("problem")]
    told = [{"url": row["url"], "problem": row["problem"]} for row in rows if row.get("problem")]
    for part in (pa.table(reader.pages(pages, time_of_day=False)), pa.Table.from_pylist(told, schema=wanted)):
        yield from part.to_batches()


def warc_batches(path: str) -> Iterator[pa.RecordBatch]:
    """The pages of a WARC file as :func:`read_batches` takes them; a file that cannot be read is a page with a problem."""
    waiting: list = []
    for page in _pages_of(path):
        waiting.append(page)
        if len(waiting) == BATCH_PAGES:
            yield _batch(waiting)
            waiting = []
    if waiting:
        yield _batch(waiting)


def _open_all(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for path in batch.column(0).to_pylist():
            yield from warc_batches(path)


def _pages_of(path: str) -> Iterator[tuple]:
    try:
        pages = read_warc(path, content_type=True)
        for url, body, content_type in pages:
            yield url, body, content_type, None
        for problem in pages.problems:
            yield path, None, None, problem
    except Error as error:
        yield path, None, None, str(error)


def _batch(pages: list) -> pa.RecordBatch:
    names, types = ["url", "body", "content_type", "problem"], [pa.string(), pa.binary(), pa.string(), pa.string()]
    columns = [pa.array(column, type) for column, type in zip(zip(*pages), types)]
    return pa.RecordBatch.from_arrays(columns, names=names)
