import { expect, test } from 'vitest'
import {
  fillInLanguageSet,
  renderPageInLanguageSet,
  replaceTextsByPlaceholders,
} from './language-sets-plugin.ts'

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
