import { expect, test } from 'vitest'
import literals from './acceptance-strings.json' with { type: 'json' }
import { findUntranslatedTexts, listUiTexts } from './ui-texts.ts'

const texts = listUiTexts()

test('every text that a member reads exists in both languages', () => {
  expect(texts.length).toBeGreaterThan(1500)
  // In notification sentences, a part may precede the name in one language and follow it in the other.
  const alone = texts.filter(({ file, whole }) => whole && !file.endsWith('notification-sentence.tsx'))
  expect(alone.filter(({ texts: { en, es } }) => en.length === 0 || es.length === 0)).toEqual([])
  expect(findUntranslatedTexts().toSorted()).toEqual(
    [
      'web/features/moderation/cases/evidence-snapshots.tsx: SHA-256',
      'web/features/posts/form/photos/photo-tile.tsx: ALT',
      'web/ui/photo-viewer/photo-description.tsx: ALT',
    ].toSorted(),
  )
})

test('OPD-10 no text of the web contains the product’s name, because members read their community’s', () => {
  const namesProduct = texts.filter(({ texts: { en, es } }) =>
    [...en, ...es].some((text) => text.includes('Juntas')),
  )
  expect(namesProduct.map(({ file }) => file).filter((file) => file.startsWith('web/'))).toEqual([])
})

test('no text is English in one place and Spanish in another', () => {
  const whole = texts.filter(({ whole }) => whole)
  const spanish = new Map(whole.map(({ texts: { en, es } }) => [es[0], en[0]]))
  const turned = whole
    .map(({ file, texts: { en, es } }) => ({ file, en: en[0], es: es[0] }))
    // `en` is the name of a language here.
    .filter(({ en, es }) => en !== 'en' && en && en !== es && spanish.has(en) && spanish.get(en) !== en)
  expect(turned).toEqual([])
})

const masculine = [
  'usuario',
  'usuarios',
  'bienvenido',
  'bienvenidos',
  'administrador',
  'administradores',
  'todos',
  'miembro',
  'miembros',
  'amigo',
  'amigos',
  'nosotros',
  'vosotros',
  'ellos',
  'seguidor',
  'seguidores',
  'moderador',
  'moderadores',
  'autor',
  'autores',
  'invitado',
  'invitados',
  'bloqueados',
  'silenciado',
  'silenciados',
  'restringido',
  'restringidos',
  'suspendido',
  'advertido',
  'dueño',
  'creador',
  'compañero',
  'lector',
  'lectores',
  'operador',
  'ninguno',
  'algunos',
  'registrado',
  'conectado',
  'admin',
] // prettier-ignore

const toTheByte = [
  'Buscar usuarios',
  'Usuarios',
  'Esta persona no es miembro del grupo',
  'El admin no puede salir del grupo sin transferirlo',
]

test('LANG-05 Spanish texts are feminine, except for masculine strings quoted in docs/acceptance.md', () => {
  expect(masculine.length).toBeGreaterThanOrEqual(40)
  const own = [
    ...[literals.built, literals.composed, literals.later].flatMap((part) => Object.values(part).flat()),
    ...toTheByte,
  ]
  const words = new RegExp(`(?<!\\p{L})(?:${masculine.join('|')})(?!\\p{L})`, 'iu')
  const said = texts.flatMap(({ file, texts: { es } }) => es.map((text) => ({ file, text })))
  expect(said.filter(({ text }) => words.test(text) && !own.includes(text))).toEqual([])
})
