import type { KeyboardEvent } from 'react'

/**
 * Whether a key belongs to an input method, as the Enter that ends a composition. Safari sends that one after the composition's
 * end, and marks it by its code alone.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
