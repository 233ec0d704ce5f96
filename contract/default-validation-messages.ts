/** A field's own message overrides these. */
import * as z from 'zod/mini'
import { en } from './language.ts'

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type') {
      return issue.input === undefined
        ? en('Required', 'Obligatorio')
        : en(
            `Expected ${issue.expected}, received ${kindOf(issue.input)}`,
            `Se esperaba ${issue.expected} y llegó ${kindOf(issue.input)}`,
          )
    }
    if (issue.code === 'invalid_format') return en(`Invalid ${issue.format}`, `${issue.format}: no es válido`)
    if (issue.code === 'too_small')
      return en(
        `Too short or too small: at least ${issue.minimum}`,
        `Demasiado corto o pequeño: al menos ${issue.minimum}`,
      )
    if (issue.code === 'too_big')
      return en(
        `Too long or too large: at most ${issue.maximum}`,
        `Demasiado largo o grande: como mucho ${issue.maximum}`,
      )
    if (issue.code === 'unrecognized_keys') return `Unknown attribute: "${issue.keys.join('", "')}"`
    return en('Invalid value', 'Valor no válido')
  },
})
