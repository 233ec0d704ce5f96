/** Counts UTF-16 units, as browsers and `String.length` do. Zod's own checks count code points. */
import * as z from 'zod/mini'

type Refusal = string | { error: string; abort?: boolean }

/** Makes the check count UTF-16 units, by passing it a text with one code point per unit. */
function countUnits(check: z.core.$ZodCheck<string>): z.core.$ZodCheck<string> {
  const compare = check._zod.check
  check._zod.check = (payload) => {
    const text = payload.value
    payload.value = 'u'.repeat(text.length)
    compare(payload)
    payload.value = text
  }
  return check
}

export const minTextLength = (min: number, refusal?: Refusal) => countUnits(z.minLength(min, refusal))

export const maxTextLength = (max: number, refusal?: Refusal) => countUnits(z.maxLength(max, refusal))
