//! The looks of a report.

/// Light and dark, wide and narrow, screen and paper.
pub(super) const STYLE: &str = "\
:root{--back:#fbfaf8;--front:#22252b;--soft:#666b75;--line:#dedbd4;--card:#fff;--mark:#2f6fb0;--bar:#e7e4dd;--notice:#fff4d6}\
@media(prefers-color-scheme:dark){:root{--back:#16181d;--front:#e6e4df;--soft:#9aa1ad;--line:#343842;--card:#1e2128;--mark:#6aa9e6;--bar:#2d313a;--notice:#3a321a}}\
*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem;max-width:76rem;background:var(--back);color:var(--front);font:15px/1.5 system-ui,sans-serif}\
h1{font-size:1.4rem;line-height:1.25;margin:0 0 .3rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:0;overflow-wrap:anywhere}h3{font-size:.95rem;margin:1.2rem 0 .5rem}h4{font-size:.95rem;margin:0;overflow-wrap:anywhere}\
p{margin:.25rem 0}small,.soft{color:var(--soft);font-weight:normal}a{color:var(--mark)}section{border-top:1px solid var(--line);margin-top:1.6rem;padding-top:1.2rem}\
.tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}.tiles div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.5rem .9rem;min-width:6rem}.tiles dd{margin:0;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums}.tiles dt{color:var(--soft)}\
.notice{background:var(--notice);border-radius:8px;padding:.7rem 1rem;overflow-wrap:anywhere}ul{margin:.3rem 0;padding-left:1.2rem}li{margin:.2rem 0;overflow-wrap:anywhere}\
nav{display:flex;flex-wrap:wrap;gap:.3rem .9rem;margin-top:1rem}.scroll{overflow-x:auto;margin:.7rem 0;max-width:100%}\
table{border-collapse:collapse;font-size:.87rem}.rows{width:max-content;background:var(--card);border:1px solid var(--line)}.rows th,.rows td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top;max-width:22rem;overflow-wrap:break-word}.rows th{overflow-wrap:anywhere}.rows a{overflow-wrap:anywhere}.rows td{min-width:4.5rem}.rows td:has(a){min-width:11rem}\
.rows .number,.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.none{color:var(--soft)}\
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:.7rem;margin-top:.6rem;align-items:start}article{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;min-width:0;break-inside:avoid;font-size:.87rem}\
.bar{background:var(--bar);height:6px;border-radius:3px;overflow:hidden;margin:.35rem 0}.bar i{display:block;height:100%;background:var(--mark)}.values,code{overflow-wrap:anywhere}code{font-size:.8rem;color:var(--soft)}\
.histogram{width:100%;height:auto;display:block;margin-top:.4rem}.histogram rect{fill:var(--mark)}.ends{display:flex;justify-content:space-between;gap:1rem;color:var(--soft);font-variant-numeric:tabular-nums}\
.top{width:100%;margin-top:.3rem;table-layout:fixed}.top td{padding:.1rem .3rem .1rem 0;overflow-wrap:anywhere}.top td:nth-child(2){width:4rem}.top td:last-child{width:30%}\
.relations{display:block;max-width:100%;height:auto;margin-top:.7rem}.relations rect{fill:var(--card);stroke:var(--line)}.relations a:hover rect{stroke:var(--mark)}.relations text{fill:var(--front);font:13px system-ui,sans-serif}.relations text.soft{fill:var(--soft);font-size:12px}.arc{fill:none;stroke:var(--soft);stroke-width:1.3}marker path{fill:var(--soft)}\
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(14rem,100%),1fr));gap:.2rem 1.5rem;margin:.5rem 0}.facts div{display:flex;justify-content:space-between;gap:1rem}.facts dt{color:var(--soft)}.facts dd{margin:0;font-variant-numeric:tabular-nums}\
details{margin:.5rem 0}section>details>summary{color:var(--mark)}#small details[open]{border-left:3px solid var(--line);padding-left:.8rem}summary{cursor:pointer}pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}del{color:var(--soft)}ins{text-decoration:none;font-weight:600}\
@media(max-width:30rem){body{padding:1rem .8rem}.tiles div{min-width:5rem;padding:.4rem .7rem}.rows th,.rows td{padding:.25rem .4rem;max-width:13rem}.rows td:has(a){min-width:7rem}}\
@media print{:root{--back:#fff;--card:#fff}body{max-width:none;padding:0;font-size:11px}.scroll{overflow:visible}.relations{max-width:100%;height:auto}nav{display:none}.rows td{min-width:0}.rows{width:100%;table-layout:auto}.rows th{white-space:normal;overflow-wrap:anywhere}.rows td{overflow-wrap:anywhere}tr,summary{break-inside:avoid}h2,h3{break-after:avoid}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}";
