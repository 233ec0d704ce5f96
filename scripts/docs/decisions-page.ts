import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/decisions')
const topicsFolder = join(import.meta.dirname, '../../docs/topics')

/** @throws Error if a page has no number, title, date or status */
export function renderDecisionsPage(): string {
  const lines = readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .map(indexLine)
  const topics = readdirSync(topicsFolder).toSorted().map(topicLine)
  return `# Topics and decisions

A **topic page** explains how one part of Juntas works today. A **decision** records one choice that somebody would otherwise
undo, and why we made it. Do not document what the code already says.

To add a decision:

1. Take the next free number. The numbers of deleted decisions are not used again.
2. Name the file \`NNNN-choice-in-words.md\`; the title is the choice ("Use X for Y").
3. Give the date and \`Status: Accepted\`, then context, decision and consequences: at most 40 lines.
4. Run \`npm run docs\`, which writes this index.

When a choice changes, write the new decision and delete the old one. A small choice is a sentence on a topic page.

## Topics

${topics.join('\n')}

## Decisions

| number | choice | date |
|---|---|---|
${lines.join('\n')}
`
}

function indexLine(name: string): string {
  const page = readFileSync(join(folder, name), 'utf8')
  const [, number, title, date] =
    /^# (\d{4}) (.+)\n\n(\d{4}-\d{2}-\d{2}) · Status: Accepted\n/.exec(page) ?? []
  if (!number || !name.startsWith(`${number}-`)) {
    throw new Error(`docs/decisions/${name} does not begin with its number, title, date and status`)
  }
  return `| [${number}](${name}) | ${title} | ${date} |`
}

function topicLine(name: string): string {
  const [, title] = /^# (.+)\n/.exec(readFileSync(join(topicsFolder, name), 'utf8')) ?? []
  if (!title) throw new Error(`docs/topics/${name} does not begin with its title`)
  return `- [${title}](../topics/${name})`
}
