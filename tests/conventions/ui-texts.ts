/** Finds texts by their `en` and `es` values, and untranslated texts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { SourceLanguage } from '#contract/language.ts'

const root = join(import.meta.dirname, '..', '..')

const sources = () =>
  globSync('{web,contract}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.(test|spec)\.tsx?$/.test(file))
    .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))

type Node = ESTree.Node & { start: number; end: number }

function piecesOf(node: Node): string[] {
  const pieces: string[] = []
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && pieces.push(value)),
    TemplateElement: ({ value }) => void pieces.push(value.cooked ?? ''),
  }).visit({ type: 'Program', body: [{ type: 'ExpressionStatement', expression: node }] } as never)
  return pieces.map((piece) => piece.trim()).filter(Boolean)
}

export function listUiTexts() {
  const said: {
    file: string
    first: SourceLanguage
    texts: Record<SourceLanguage, string[]>
    whole: boolean
  }[] = []
  for (const { file, code } of sources()) {
    const { program } = parseSync(file, code)
    new Visitor({
      CallExpression({ callee, arguments: [first, other] }) {
        if (callee.type !== 'Identifier' || (callee.name !== 'en' && callee.name !== 'es')) return
        if (!first || !other) return
        const [own, translated] = [piecesOf(first as Node), piecesOf(other as Node)]
        said.push({
          file,
          first: callee.name,
          texts: callee.name === 'en' ? { en: own, es: translated } : { es: own, en: translated },
          whole: first.type === 'Literal',
        })
      },
    }).visit(program)
  }
  return said
}

const saysSomething = /\p{L}{2}/u
/** Even a single letter counts, such as 'o' between two sign-in methods. */
const hasLetter = /\p{L}/u

/** Members read or hear the text of these attributes and properties. */
const spoken =
  /^(aria-label|aria-roledescription|alt|title|placeholder|label|labels|text|heading|hint|lead|intro|question|confirm|cancel|busyLabel|emptyTitle|emptyText|legend|failureMessage|submitLabel)$/

/** Returns 'Close' for `open ? 'Close' : null`. */
function outcomesOf(node: ESTree.Expression | ESTree.JSXEmptyExpression): string[] {
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(outcomesOf)
  if (node.type === 'LogicalExpression') return [node.left, node.right].flatMap(outcomesOf)
  return node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

export function findUntranslatedTexts(): string[] {
  const found: string[] = []
  for (const { file, code } of sources().filter(({ file }) => file.endsWith('.tsx'))) {
    const { program } = parseSync(file, code)
    const note = (text: string, pattern = saysSomething) => {
      if (pattern.test(text)) found.push(`${file}: ${text.trim()}`)
    }
    new Visitor({
      JSXText: ({ value }) => note(value, hasLetter),
      JSXAttribute({ name, value }) {
        if (name.type !== 'JSXIdentifier' || !spoken.test(name.name)) return
        if (value?.type === 'Literal') note(String(value.value))
      },
      Property({ key, value }) {
        const name = key.type === 'Identifier' ? key.name : ''
        if (spoken.test(name) && value.type === 'Literal' && typeof value.value === 'string')
          if (/^\p{Lu}|^¿| /u.test(value.value)) note(value.value)
      },
      JSXExpressionContainer({ expression }) {
        for (const text of outcomesOf(expression)) if (/^\p{Lu}/u.test(text)) note(text)
      },
    }).visit(program)
  }
  return found
}
