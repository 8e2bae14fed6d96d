"""Imports an export with a published tool.

    python import_export.py healthkit-to-sqlite|apple-health-parser EXPORT.zip FOLDER

healthkit-to-sqlite writes FOLDER/health.db; apple-health-parser keeps the records as elements in
memory, before it would make frames of them. FOLDER is emptied first.
"""

import shutil
import subprocess
import sys
from pathlib import Path


def main(tool, export, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if tool == "healthkit-to-sqlite":
        program = Path(sys.executable).with_name("healthkit-to-sqlite")
        subprocess.run([program, "--silent", export, folder / "health.db"], check=True)
    elif tool == "apple-health-parser":
        from apple_health_parser.utils.parser import Parser

        parser = Parser(export_file=export, output_dir=folder, overwrite=True)
        print(sum(len(records) for records in parser.records.values()), "records")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
