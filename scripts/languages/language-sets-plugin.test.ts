import { expect, test } from 'vitest'
import {
  fillInLanguageSet,
  renderPageInLanguageSet,
  replaceTextsByPlaceholders,
} from './language-sets-plugin.ts'
import { translateTexts } from './translate-texts.ts'

const marked = (body: string) =>
  replaceTextsByPlaceholders(
    `import { en, es as spanish, getLanguageSet } from '#contract/language.ts'\n${body}`,
  ) ?? ''

const inSets = (body: string, files = new Set<string>()) => {
  const code = marked(body).replace(/^import.*\n/, '')
  return (['as-it-comes', 'es', 'en'] as const).map((set) =>
    fillInLanguageSet(code, set, files).replaceAll('/* @__PURE__ */ ', ''),
  )
}

test('each language set contains its own texts, and the default set contains the first text of each pair', () => {
  expect(inSets(`x = [en('Following', 'Siguiendo'), spanish('Entrar', 'Sign in')]`)).toEqual([
    `x = ['Following', 'Entrar']`,
    `x = ['Siguiendo', 'Entrar']`,
    `x = ['Following', 'Sign in']`,
  ])
})

test('nested texts, templates and conditions are replaced completely, whatever code surrounds them', () => {
  const body = `x = en(\`😀 \${n} \${n === 1 ? en('post', 'publicación') : en('posts', 'publicaciones')}\`, n ? 'una' : 'más') + '!'`
  expect(inSets(body)).toEqual([
    `x = \`😀 \${n} \${n === 1 ? 'post' : 'posts'}\` + '!'`,
    `x = (n ? 'una' : 'más') + '!'`,
    `x = \`😀 \${n} \${n === 1 ? 'post' : 'posts'}\` + '!'`,
  ])
})

test('the name of the language set becomes a string, and chunk names point to the folder of the set', () => {
  const files = new Set(['assets/home-1.js'])
  expect(
    inSets(`x = [getLanguageSet(), 'assets/home-1.js', 'assets/home.css', './home-1.js']`, files),
  ).toEqual([
    `x = ["as-it-comes", "assets/home-1.js", 'assets/home.css', './home-1.js']`,
    `x = ["es", "assets/es/home-1.js", 'assets/home.css', './home-1.js']`,
    `x = ["en", "assets/en/home-1.js", 'assets/home.css', './home-1.js']`,
  ])
})

test('a module without texts is unchanged, and a text in only one language fails the build', () => {
  expect(replaceTextsByPlaceholders(`import { en } from './english.ts'\nen('a', 'b')`)).toBeNull()
  expect(() => inSets(`x = en('alone')`)).toThrow('two languages')
  expect(() => inSets(`x = en(...both)`)).toThrow('two languages')
})

test('the page declares its language and loads the scripts of its language set', () => {
  const page = '<html lang="en"><script src="/assets/first-1.js"></script><link href="/assets/a.css">'
  expect(renderPageInLanguageSet(page, 'es', new Set(['assets/first-1.js']))).toBe(
    '<html lang="es"><script src="/assets/es/first-1.js"></script><link href="/assets/a.css">',
  )
})

/** Returns the code of the Portuguese set. */
function inPortuguese(body: string, texts: Record<string, string>): string {
  const source = `import { en, es } from '#contract/language.ts'\n${body}`
  const translated = translateTexts('module.ts', source, { pt: texts }) ?? source
  const code = replaceTextsByPlaceholders(translated) ?? ''
  return fillInLanguageSet(code, 'pt', new Set())
    .replace(/^import.*\n/, '')
    .replaceAll('/* @__PURE__ */ ', '')
}

test('LANG-09 a translated set shows the texts of its catalogue, and Spanish where the catalogue has none', () => {
  const body = `x = [en('Following', 'Siguiendo'), es('Entrar', 'Sign in'), en('Saved', 'Guardado')]`
  expect(inPortuguese(body, { Following: 'Seguindo', 'Sign in': 'Entre' })).toBe(
    `x = ["Seguindo", "Entre", 'Guardado']`,
  )
})

test('LANG-09 an English text with two Spanish meanings has two translations', () => {
  const body = `x = [en('Blocked', 'Bloqueada'), en('Blocked', 'Bloqueadas')]`
  expect(inPortuguese(body, { 'Blocked [Bloqueadas]': 'várias', Blocked: 'uma' })).toBe(
    `x = ["uma", "várias"]`,
  )
})

test('LANG-09 a catalogue contains placeholders, plurals and choices in any order', () => {
  const body = `x = en(\`\${n} \${n === 1 ? "post" : "posts"} of \${user.name}\`, \`\${n} de \${user.name}\`)`
  const key = '{n} {n, plural, =1 {post} other {posts}} of {name}'
  expect(inPortuguese(body, { [key]: '{name}: {n} {n, plural, =1 {publicação} other {publicações}}' })).toBe(
    `x = \`\${user.name}: \${n} \${n === 1 ? "publicação" : "publicações"}\``,
  )
  expect(inPortuguese(body, { [key]: '{n, plural, one {uma} other {{n}}} de {name}' })).toBe(
    `x = \`\${new Intl.PluralRules("pt").select(n) === "one" ? "uma" : \`\${n}\`} de \${user.name}\``,
  )
  const choice = `x = es(\`La \${own ? "borras" : "quitas"}\`, \`You \${own ? "delete" : "remove"} it\`)`
  expect(
    inPortuguese(choice, {
      'You {own, select, yes {delete} other {remove}} it': 'Você {own, select, yes {exclui} other {remove}}',
    }),
  ).toBe(`x = \`Você \${own ? "exclui" : "remove"}\``)
})

test('LANG-09 a text inside a translated text is translated too, and Spanish dates stay Spanish', () => {
  const body = `x = en(\`Seen \${day(at, 'en')} by \${who ?? en('her', 'ella')}\`, \`Vista \${day(at, 'es')} por \${who ?? en('her', 'ella')}\`)`
  expect(inPortuguese(body, { 'Seen {at} by {who}': 'Vista {at} por {who}', her: 'uma' })).toBe(
    `x = \`Vista \${day(at, 'es')} por \${who ?? "uma"}\``,
  )
})

test('LANG-09 a translation with a wrong placeholder or an open brace fails the build and names the text', () => {
  const body = `x = en(\`Hello \${name}\`, \`Hola \${name}\`)`
  expect(() => inPortuguese(body, { 'Hello {name}': 'Olá {nome}' })).toThrow(
    'The pt translation of ‘Hello {name}’ names an unknown {nome}.',
  )
  expect(() => inPortuguese(body, { 'Hello {name}': 'Olá {name' })).toThrow('‘Olá {name’')
})
