# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a run, as a page. usage: notebook_page.py RESULTS FOLDER"""

import html
import os
import pathlib
import sys

import opprof

STYLE = """
body { font: 14px sans-serif; margin: 1em 2em }
.cell { background: #f5f5f5; border: 1px solid #e0e0e0; padding: .5em; font: 13px monospace }
.output { padding: 0 1em }
table { border-collapse: collapse; font-size: 12px }
td, th { padding: .3em .6em; text-align: right }
tbody tr:nth-child(odd) { background: #f5f5f5 }
"""


def main(results: str, folder: str) -> None:
    page_folder = pathlib.Path(folder).resolve()
    os.chdir(pathlib.Path(results).parent)  # the page shows the folder's name alone
    run = opprof.open(pathlib.Path(results).name)
    cells = (
        ('run = opprof.run("kineto", "traces/")\nrun', run._repr_html_()),
        (
            'run.query("SELECT what, count, idle_us FROM trace_host_idle ORDER BY idle_us DESC'
            ' LIMIT :top", top=5)',
            run.query(
                "SELECT what, count, idle_us FROM trace_host_idle ORDER BY idle_us DESC"
                " LIMIT :top", top=5, frame=False,
            )._repr_html_(),
        ),
    )
    body = "".join(
        f'<pre class="cell">{html.escape(code)}</pre><div class="output">{shown}</div>'
        for code, shown in cells
    )
    page_folder.mkdir()
    page = f'<!DOCTYPE html><html data-ready="true"><meta charset="utf-8"><style>{STYLE}</style>{body}'
    (page_folder / "report.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
