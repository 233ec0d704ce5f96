/** Writes docs/decisions/README.md: how a decision is written, and the index of all. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/decisions')

/** @throws Error when a page lacks its number, title, date or status. */
export function renderDecisionsPage(): string {
  const lines = readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .map(indexLine)
  return `# Decisions

What was chosen where something else was possible, and why. One page holds one choice.

To add one: take the next number, name the file \`NNNN-choice-in-words.md\`, title it by the choice, give it a date and a status in
the line below, context, decision and consequences, and run \`npm run docs\`, which writes this index. A page is not rewritten
when a choice changes: the new one says what it replaces, and the old one's status becomes
\`Superseded by [NNNN](NNNN-choice-in-words.md)\`.

| number | choice | status | date |
|---|---|---|---|
${lines.join('\n')}
`
}

function indexLine(name: string): string {
  const page = readFileSync(join(folder, name), 'utf8')
  const [, number, title, date, status] =
    /^# (\d{4}) (.+)\n\n(\d{4}-\d{2}-\d{2}) · Status: (Accepted|Superseded by \[\d{4}\]\(\d{4}-.+\.md\))\n/.exec(
      page,
    ) ?? []
  if (!number || !name.startsWith(`${number}-`)) {
    throw new Error(`docs/decisions/${name} does not begin with its number, title, date and status`)
  }
  return `| [${number}](${name}) | ${title} | ${status} | ${date} |`
}
