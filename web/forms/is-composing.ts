import type { KeyboardEvent } from 'react'

/**
 * Whether an input method handles the key, such as the Enter ending a composition. Safari sends that one
 * after the end, marked only by its key code.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
