import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useDebounced } from '#web/ui/use-debounced.ts'

const searchDelay = 500

/** What is searched for on this step of the history. */
type SearchState = { term?: string } | null

/**
 * What she types, and, once it has stood still, what is searched for: trimmed, empty for no search. The history keeps it, so
 * that Back from a post returns to what was found.
 */
export function useSearchTerm() {
  const navigate = useNavigate()
  const navigation = useNavigationType()
  const { key, state } = useLocation()
  const kept = (state as SearchState)?.term ?? ''
  const [typed, setTyped] = useState(kept)
  const term = useDebounced(typed, searchDelay).trim()

  useEffect(() => {
    if (term !== kept) navigate('.', { replace: true, state: { term } satisfies SearchState })
  }, [term, kept, navigate])

  // The navigation's own entry leads to the page as it is without a search.
  useEffect(() => {
    if (navigation === 'PUSH' && key) setTyped('')
  }, [navigation, key])

  return { typed, setTyped, term: typed.trim() === '' ? '' : term }
}
