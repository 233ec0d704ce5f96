import { useLocation, useNavigate } from 'react-router'

/** Goes back, or to `fallback` from the tab's first page. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate()
  const { key } = useLocation()
  return () => void (key === 'default' ? navigate(fallback, { replace: true }) : navigate(-1))
}
