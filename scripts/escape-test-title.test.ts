import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { escapeTestTitle } from './escape-test-title.ts'
import { plantedFaults } from './mutants/faults.ts'

const odd = [
  'ana reacts with 👏 (once)',
  '𝒶dmin is no name: {a|b} [c] $5 ^ * + ? . /x/ \\y',
  'that’s "all" – ¿sí?',
]

test('an escaped title matches its own test in another process, whatever Unicode or pattern characters the title has', () => {
  for (const title of [...odd, ...plantedFaults.map(({ red }) => red[1])]) {
    expect(new RegExp(escapeTestTitle(title)).test(`a group ${title} and more`)).toBe(true)
  }
  const said = execFileSync(process.execPath, [
    '-p',
    'JSON.stringify(process.argv.slice(1))',
    ...odd.map(escapeTestTitle),
  ])
  const arrived = JSON.parse(said.toString()) as string[]
  for (const [n, pattern] of arrived.entries()) expect(new RegExp(pattern).test(odd[n] as string)).toBe(true)
  expect(new RegExp(escapeTestTitle('a.b')).test('axb')).toBe(false)
})
