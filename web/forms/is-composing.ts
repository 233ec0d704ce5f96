import type { KeyboardEvent } from 'react'

/** Safari reports the Enter that ends a composition too late; only its key code reveals it. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229
