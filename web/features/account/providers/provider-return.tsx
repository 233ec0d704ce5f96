import { useState } from 'react'
import { useLocation } from 'react-router'
import { lazyPart } from '#web/navigation/lazy-part.tsx'

const ProviderProblemNotice = lazyPart(async () => {
  return (await import('./provider-problem-notice.tsx')).ProviderProblemNotice
})

export function ProviderReturn() {
  const { search } = useLocation()
  const [returned] = useState(() => new URLSearchParams(search).has('problem'))
  return returned && <ProviderProblemNotice />
}
