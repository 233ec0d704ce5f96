import { useLocation } from 'react-router'

/** Decodes once. The router's parameters would turn the text `%2F` into a slash. */
export function useLastPathSegment(): string {
  const segment = useLocation().pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    // The typed address has an unescaped percent sign.
    return segment
  }
}
