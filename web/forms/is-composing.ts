import type { KeyboardEvent } from 'react'

/**
 * An input method handles the key. Safari reports the Enter that ends a composition too late, recognisable only by
 * key code.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
