"""Turns web sites back into the tables they were made from, without selectors.

Pages are ``(url, bytes)``; results are plain dicts, and tables that pyarrow,
Polars, DuckDB and pandas take through the Arrow C interface.

>>> import untemplate
>>> rows = "".join(f"<tr><td>{team}<td>{year}" for team, year in [("Rovers", 1904), ("Athletic", 1956), ("United", 1902)])
>>> table = untemplate.records(f"<table><tr><th>Team<th>Founded{rows}</table>", "http://cup.example/teams")
>>> table[1]
{'Team': 'Athletic', 'Founded': 1956}
"""

from ._untemplate import (
    AddressError,
    Error,
    FileError,
    FormatError,
    LearnError,
    SiteError,
    SiteModel,
    SiteReader,
    Specification,
    Table,
    WarcPages,
    Wrapper,
    classify,
    infer,
    learn,
    model,
    read_warc,
    rebuild,
    records,
)

__all__ = [
    "AddressError",
    "Error",
    "FileError",
    "FormatError",
    "LearnError",
    "SiteError",
    "SiteModel",
    "SiteReader",
    "Specification",
    "Table",
    "WarcPages",
    "Wrapper",
    "classify",
    "infer",
    "learn",
    "model",
    "read_warc",
    "rebuild",
    "records",
]
