import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useDebounced } from '#web/ui/use-debounced.ts'

const searchDelayMs = 500

/** The term is debounced and trimmed, and empty without a search. The URL contains it, so that Back restores it. */
export function useSearchTerm() {
  const navigate = useNavigate()
  const navigation = useNavigationType()
  const { key, search } = useLocation()
  const stored = new URLSearchParams(search).get('search') ?? ''
  const [typed, setTyped] = useState(stored)
  const [seenKey, setSeenKey] = useState(key)
  // After following a link or Back, the URL decides the term.
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
