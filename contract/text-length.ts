/**
 * Limits of a text's length, counted as JavaScript's `String.length` (UTF-16 units), which counters and inputs of the browser count
 * too. Zod's own checks count code points.
 */
import * as z from 'zod/mini'

type Refusal = string | { error: string; abort?: boolean }

/** Lets the check compare a text of as many code points as the given one has units. */
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
