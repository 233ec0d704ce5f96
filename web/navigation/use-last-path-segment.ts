import { useLocation } from 'react-router'

/**
 * Returns the last segment of the path, decoded only once. The router's parameters would turn the text `%2F` into a
 * slash.
 */
export function useLastPathSegment(): string {
  const segment = useLocation().pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    // Somebody typed the address with an unescaped percent sign.
    return segment
  }
}
