/**
 * The default sentences of validation: 'Required', 'Invalid email',
 * 'Expected string, received number'. A field with a sentence of its own overrides them.
 */
import * as z from 'zod/mini'

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

z.config({
  customError: (issue) => {
    if (issue.code === 'invalid_type') {
      return issue.input === undefined
        ? 'Required'
        : `Expected ${issue.expected}, received ${kindOf(issue.input)}`
    }
    if (issue.code === 'invalid_format') return `Invalid ${issue.format}`
    if (issue.code === 'too_small') return `Too short or too small: at least ${issue.minimum}`
    if (issue.code === 'too_big') return `Too long or too large: at most ${issue.maximum}`
    if (issue.code === 'unrecognized_keys') return `Unknown attribute: "${issue.keys.join('", "')}"`
    return 'Invalid value'
  },
})
