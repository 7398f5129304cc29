"""Archives on a real Spark of this machine: the rows are those of one process, whatever happens to tasks."""

import os
import shutil
import signal
import sys

import pytest

import untemplate

pytest.importorskip("pyspark")
pytest.importorskip("pandas")  # Spark asks for it, although nothing here uses it.
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("there is no Java: Debian's package default-jre-headless has one", allow_module_level=True)

from pyspark import TaskContext  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import untemplate.spark  # noqa: E402

BASE = "http://cup.example/"


def session(master):
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("untemplate").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.executor.memory", "512m")
    # Batches of a few pages, so that a task has several and can die between them.
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "8").getOrCreate()


@pytest.fixture(scope="module")
def spark():
    spark = session("local[2,3]")
    yield spark
    spark.stop()


@pytest.fixture(scope="module")
def reader(reader_folder):
    return untemplate.SiteReader.load(reader_folder)


@pytest.fixture(scope="module")
def given(pages):
    """The pages of the site, and some that are none."""
    bad = [("http://cup.example/a.pdf", b"%PDF \x00"), ("no address", b"<p>x"), (None, b"<p>x"), (BASE + "none", None)]
    return [*pages.items(), *bad]


@pytest.fixture(scope="module")
def expected(reader, given):
    """What one process reads."""
    return sorted(map(repr, reader.pages(given)))


def frame(spark, given):
    return spark.createDataFrame([(url, body and bytearray(body)) for url, body in given], "url string, body binary").repartition(4)


def rows_of(pages):
    return sorted(repr(plain(row)) for row in pages.collect())


def plain(value):
    """Rows of Spark as those of the package."""
    if hasattr(value, "asDict"):
        return {key: plain(inner) for key, inner in value.asDict().items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, (str, int, float, bool)) else shown(value)


def shown(value):
    return value.isoformat()


def test_the_rows_are_those_of_one_process(spark, reader, given, expected):
    pages = untemplate.spark.read(frame(spark, given), reader)
    assert rows_of(pages) == expected
    name = max(reader.tables, key=lambda name: len(reader.table(name, given[:-4])))
    rows = untemplate.spark.table(pages, reader, name)
    assert sorted(repr(plain(row)) for row in rows.collect()) == sorted(map(repr, reader.table(name, given[:-4])))
    bad = {row["url"]: row["problem"] for row in untemplate.spark.bad(pages).collect()}
    assert bad["http://cup.example/a.pdf"] == "it is no HTML" and {"no address", None, BASE + "none"} <= set(bad)
    with pytest.raises(KeyError, match="there are"):
        untemplate.spark.table(pages, reader, "nothing")


def test_a_partition_may_run_twice(spark, reader, given, expected):
    inner = untemplate.spark.reading(reader)

    def fails_once(batches):
        """The second partition dies after its first rows, the first time."""
        for number, batch in enumerate(inner(batches)):
            context = TaskContext.get()
            if number == 2 and context.partitionId() == 1 and context.attemptNumber() == 0:
                raise RuntimeError("the first time fails")
            yield batch

    pages = frame(spark, given).mapInArrow(fails_once, untemplate.spark.schema(reader))
    assert rows_of(pages) == expected


def test_warc_files_are_read_where_they_are(spark, reader, warc, tmp_path):
    pages = untemplate.spark.warc_pages(spark, [str(warc), str(tmp_path / "none.warc")])
    read = untemplate.spark.read(pages, reader)
    one = reader.pages(untemplate.read_warc(warc, content_type=True))
    missing = [row for row in read.collect() if row["url"].endswith("none.warc")]
    assert len(missing) == 1 and "cannot read" in missing[0]["problem"]
    assert rows_of(read.where("url not like '%none.warc'")) == sorted(map(repr, one))
    assert sum(row["problem"] is None for row in one) > len(one) / 2


def test_partitions_by_class_are_read(spark, program, tmp_path):
    rebuilt = untemplate.rebuild(program.mirror, tmp_path, formats=["parquet-by-class"])
    for folder in sorted((tmp_path / "parquet").glob("class=*/table=*")):
        rows = spark.read.option("basePath", str(tmp_path / "parquet")).parquet(str(folder))
        assert rows.columns[-2:] == ["class", "table"]
        assert rows.count() == rebuilt["rows"][folder.name[6:]]
        classes = {row["class"] for row in rows.select("class").distinct().collect()}
        assert classes <= {folder.parent.name[6:]}


def test_an_executor_may_be_killed(spark, reader, given, expected, tmp_path):
    # It stands last: a process has one Spark at a time, and this one needs executors of their own.
    spark.stop()
    spark = session("local-cluster[2,1,1024]")
    inner, mark = untemplate.spark.reading(reader), str(tmp_path / "killed")

    def kills_once(batches):
        """The first task that gets here kills the machine it runs on, a JVM: worker, daemon, executor."""
        for number, batch in enumerate(inner(batches)):
            if number == 2:
                try:
                    os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    with open(f"/proc/{os.getppid()}/stat") as stat:
                        executor = int(stat.read().rsplit(")", 1)[1].split()[1])
                    with open(f"/proc/{executor}/cmdline", "rb") as command:
                        assert b"ExecutorBackend" in command.read(), "this is no executor"
                    os.kill(executor, signal.SIGKILL)
            yield batch

    try:
        pages = frame(spark, given).mapInArrow(kills_once, untemplate.spark.schema(reader))
        assert rows_of(pages) == expected
        assert os.path.exists(mark)
    finally:
        spark.stop()
