import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useDebounced } from '#web/ui/use-debounced.ts'

const searchDelayMs = 500

/**
 * Returns what is typed and, after a pause, the trimmed search term; empty for no search. The address holds it, so that
 * links lead to a search and Back from a post returns to the results.
 */
export function useSearchTerm() {
  const navigate = useNavigate()
  const navigation = useNavigationType()
  const { key, search } = useLocation()
  const stored = new URLSearchParams(search).get('search') ?? ''
  const [typed, setTyped] = useState(stored)
  const [seenKey, setSeenKey] = useState(key)
  // A link to this page, such as the navigation's, or Back from such a one: the address says what is searched now.
  if (key !== seenKey) {
    setSeenKey(key)
    if (navigation !== 'REPLACE') setTyped(stored)
  }
  const settled = useDebounced(typed, searchDelayMs)
  const term = settled.trim()

  useEffect(() => {
    if (settled !== typed || term === stored) return
    const address = new URLSearchParams(search)
    if (term) address.set('search', term)
    else address.delete('search')
    navigate({ search: address.toString() }, { replace: true })
  }, [settled, typed, term, stored, search, navigate])

  return { typed, setTyped, term: typed.trim() === '' ? '' : term }
}
