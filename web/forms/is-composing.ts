import type { KeyboardEvent } from 'react'

/**
 * Whether an input method handles the key, such as the Enter that ends a composition. Safari reports that Enter after
 * the end of the composition, and only its key code reveals it.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
