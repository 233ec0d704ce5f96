import { useLocation } from 'react-router'

/** The path's last segment, decoded once. The router's parameters turn the text `%2F` into a slash. */
export function useLastPathSegment(): string {
  const segment = useLocation().pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    // Typed with a bare percent sign.
    return segment
  }
}
