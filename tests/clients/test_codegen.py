"""The handbook's settings for graphql-codegen make types that strict TypeScript accepts, and that refuse mistakes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.conftest import PACKAGES

ROOT = Path(__file__).parents[2]
OPERATIONS = """import type { ResultOf } from "@graphql-typed-document-node/core";
import { graphql } from "./gql";

export const READ = graphql(`
  query Read($id: ID!) { document(id: $id) { title metadata createdAt } }
`);

export function describe(data: ResultOf<typeof READ>): string {
  const document = data.document;
  if (!document) return "nothing";
  const created: CREATED = document.createdAt;
  const metadata: Record<string, unknown> = document.metadata;
  return `${document.title} ${created} ${Object.keys(metadata).length}`;
}
"""
STRICT = "--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --target es2022 --lib es2022,dom"


@pytest.mark.usefixtures("node")
def test_the_recipe_of_the_handbook_makes_strict_types(tmp_path: Path) -> None:
    recipe = re.search(
        r"```ts\n(import type \{ CodegenConfig \}.+?)```",
        (ROOT / "app/handbook/04-front-ends.md").read_text(),
        re.DOTALL,
    )
    assert recipe is not None
    (tmp_path / "codegen.ts").write_text(recipe[1])
    (tmp_path / "node_modules").symlink_to(PACKAGES)
    shutil.copy(ROOT / "schema.graphql", tmp_path)
    source = tmp_path / "src" / "operations.ts"
    source.parent.mkdir()
    source.write_text(OPERATIONS.replace("CREATED", "string"))

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(PACKAGES / ".bin" / program), *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)

    made = run("graphql-codegen", "--config", "codegen.ts")
    assert made.returncode == 0, made.stdout + made.stderr
    checked = run("tsc", *STRICT.split(), str(source))
    assert checked.returncode == 0, checked.stdout
    source.write_text(OPERATIONS.replace("CREATED", "number"))
    mistaken = run("tsc", *STRICT.split(), str(source))
    assert "Type 'string' is not assignable to type 'number'" in mistaken.stdout
