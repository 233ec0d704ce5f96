/** Converts texts in the code to messages of a catalogue (ICU MessageFormat) and back. */
import type { ESTree } from 'rolldown/utils'

/** An expression in a text, or a condition that chooses between two texts. */
type Placeholder = { start: number; end: number }

export type SourceMessage = {
  text: string
  values: Map<string, Placeholder>
  /** By name and kind, such as `count plural`. */
  conditions: Map<string, Placeholder>
}

type Names = Map<string, string>

/** @param known the names of the same expressions in the other language */
export function readSourceMessage(node: ESTree.Node, code: string, known: Names = new Map()): SourceMessage {
  const message: SourceMessage = { text: '', values: new Map(), conditions: new Map() }
  message.text = describe(node, code, message, known)
  return message
}

export const namesOf = ({ values }: SourceMessage, code: string): Names =>
  new Map([...values].map(([name, { start, end }]) => [code.slice(start, end), name]))

function describe(node: ESTree.Node, code: string, message: SourceMessage, known: Names): string {
  const describeNext = (next: ESTree.Node) => describe(next, code, message, known)
  if (node.type === 'ParenthesizedExpression') return describeNext(node.expression)
  if (node.type === 'Literal' && typeof node.value === 'string') return escapeText(node.value)
  if (node.type === 'TemplateLiteral')
    return node.quasis
      .map(({ value }, at) => {
        const expression = node.expressions[at]
        return escapeText(value.cooked ?? '') + (expression ? describeNext(expression) : '')
      })
      .join('')
  if (node.type === 'ConditionalExpression' && isText(node.consequent) && isText(node.alternate)) {
    const { test } = node
    const isPlural =
      test.type === 'BinaryExpression' &&
      test.operator === '===' &&
      test.right.type === 'Literal' &&
      test.right.value === 1
    const counted = isPlural ? test.left : test
    const name = nameOf(counted)
    message.conditions.set(`${name} ${isPlural ? 'plural' : 'select'}`, counted)
    const [kind, first] = isPlural ? ['plural', '=1'] : ['select', 'yes']
    return `{${name}, ${kind}, ${first} {${describeNext(node.consequent)}} other {${describeNext(node.alternate)}}}`
  }
  const source = code.slice(node.start, node.end)
  const wanted = known.get(source) ?? nameOf(node)
  const name = [wanted, ...[2, 3, 4, 5].map((each) => `${wanted}${each}`)].find((each) => {
    const taken = message.values.get(each)
    return !taken || code.slice(taken.start, taken.end) === source
  })
  if (!name) throw new Error(`Too many placeholders are named ${wanted}.`)
  message.values.set(name, { start: node.start, end: node.end })
  return `{${name}}`
}

const isText = ({ type }: ESTree.Node) =>
  type === 'Literal' ||
  type === 'TemplateLiteral' ||
  type === 'Identifier' ||
  type === 'ConditionalExpression'

function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') {
    const property = node.computed ? '' : nameOf(node.property)
    return property === '' || property === 'length' || node.property.type !== 'Identifier'
      ? nameOf(node.object)
      : property
  }
  if (node.type === 'CallExpression') {
    const argument = node.arguments.find(({ type }) => type !== 'Literal')
    if (argument) return nameOf(argument)
    return node.callee.type === 'MemberExpression' ? nameOf(node.callee.object) : nameOf(node.callee)
  }
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') return nameOf(node.left)
  if (node.type === 'UnaryExpression') return nameOf(node.argument)
  if ('expression' in node && typeof node.expression === 'object')
    return nameOf(node.expression as ESTree.Node)
  return 'value'
}

const escapeText = (text: string) => text.replace(/[{}]/g, "'$&'")

type Part =
  | string
  | { name: string }
  | { name: string; kind: 'plural' | 'select'; cases: Map<string, Part[]> }

/** @throws if the message is not well formed */
export function parseMessage(text: string): Part[] {
  let at = 0
  const fail = (why: string): never => {
    throw new Error(`${why} at character ${at} of ‘${text}’`)
  }
  const word = () => {
    const found = /^\s*(=?\w+)\s*/.exec(text.slice(at))
    if (!found) return fail('A name is missing')
    at += found[0].length
    return found[1] ?? ''
  }
  const expectNext = (sign: string) => {
    if (text[at] !== sign) fail(`A ${sign} is missing`)
    at += 1
  }
  const placeholder = (): Part => {
    expectNext('{')
    const name = word()
    if (text[at] === '}') {
      at += 1
      return { name }
    }
    expectNext(',')
    const kind = word()
    if (kind !== 'plural' && kind !== 'select') return fail('Only plural and select are known')
    expectNext(',')
    const cases = new Map<string, Part[]>()
    while (text[at] !== '}') {
      const when = word()
      expectNext('{')
      cases.set(when, parts())
      expectNext('}')
      at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    }
    at += 1
    if (!cases.has('other')) fail('The case other is missing')
    return { name, kind, cases }
  }
  const parts = (): Part[] => {
    const found: Part[] = []
    let plain = ''
    while (at < text.length && text[at] !== '}') {
      const quoted = /^'([{}])'/.exec(text.slice(at))
      if (quoted) {
        plain += quoted[1]
        at += 3
      } else if (text[at] === '{') {
        found.push(plain, placeholder())
        plain = ''
      } else {
        plain += text[at]
        at += 1
      }
    }
    return [...found, plain].filter((part) => part !== '')
  }
  const found = parts()
  if (at < text.length) fail('A { is missing')
  return found
}

/** Returns the names of the values that a message shows in any of its cases. */
export const listValues = (parts: readonly Part[]): Set<string> =>
  new Set(
    parts.flatMap((part) => {
      if (typeof part === 'string') return []
      return 'kind' in part ? [...part.cases.values()].flatMap((each) => [...listValues(each)]) : [part.name]
    }),
  )

/**
 * Returns a JavaScript expression.
 * @param find returns the code of a value or of a condition
 */
export function compileMessage(
  parts: readonly Part[],
  language: string,
  find: (name: string, kind: 'value' | 'plural' | 'select') => string,
): string {
  if (parts.every((part) => typeof part === 'string')) return JSON.stringify(parts.join(''))
  const written = parts.map((part) => {
    if (typeof part === 'string') return part.replace(/[\\`]|\$(?=\{)/g, '\\$&')
    if (!('kind' in part)) return `\${${find(part.name, 'value')}}`
    const { name, kind, cases } = part
    const tested = find(name, kind)
    const other = compileMessage(cases.get('other') ?? [], language, find)
    const chosen = [...cases]
      .filter(([when]) => when !== 'other')
      .map(([when, text]) => {
        const test = kind === 'select' ? tested : pluralTest(when, tested, language)
        return `${test} ? ${compileMessage(text, language, find)} : `
      })
    return `\${${chosen.join('')}${other}}`
  })
  return `\`${written.join('')}\``
}

/** `=2` is an exact number; `few` is a plural category of the language. */
const pluralTest = (when: string, counted: string, language: string) =>
  when.startsWith('=')
    ? `${counted} === ${when.slice(1)}`
    : `new Intl.PluralRules(${JSON.stringify(language)}).select(${counted}) === ${JSON.stringify(when)}`
