import { expect, test } from 'vitest'
import { splitAtSearchMatch } from './search-match.ts'

test('CHPH-09 matches are highlighted as the server finds them, and a long message is shortened to the text around its match', () => {
  expect(splitAtSearchMatch('Nos vemos en el CAFÉ, ¿sí?', 'cafe')).toEqual({
    before: 'Nos vemos en el ',
    found: 'CAFÉ',
    after: ', ¿sí?',
  })
  expect(splitAtSearchMatch('🌷 café', 'FÉ')).toEqual({ before: '🌷 ca', found: 'fé', after: '' })
  expect(splitAtSearchMatch('nada', 'otro')).toEqual({ before: 'nada', found: '', after: '' })
  const { before, found } = splitAtSearchMatch(`${'a'.repeat(200)} aguja`, 'aguja')
  expect(before).toBe(`…${'a'.repeat(39)} `)
  expect(found).toBe('aguja')
})
