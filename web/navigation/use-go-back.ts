import { useLocation, useNavigate } from 'react-router'

/** Goes back, or to `fallback` if the current page is the first in its tab. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate()
  const { key } = useLocation()
  return () => void (key === 'default' ? navigate(fallback, { replace: true }) : navigate(-1))
}
