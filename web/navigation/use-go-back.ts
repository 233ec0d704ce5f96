import { useLocation, useNavigate } from 'react-router'

/** Goes back one step, or to `fallback` when the page is the first one in this tab. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate()
  const { key } = useLocation()
  return () => void (key === 'default' ? navigate(fallback, { replace: true }) : navigate(-1))
}
