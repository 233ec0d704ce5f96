import { useCallback, useEffect, useState } from 'react'
import type { getCommunityOperation } from '#contract/community/community.ts'
import { getCommunityEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'

export type Community = OperationOutput<typeof getCommunityOperation>

/** The community is undefined while loading and after a failure; the forms also work without it. */
export function useCommunity(): [Community | undefined, reload: () => void] {
  const [community, setCommunity] = useState<Community>()
  const load = useCallback((left?: AbortSignal) => {
    callApiOperation(getCommunityEndpoint, {}, left)
      .then(setCommunity)
      .catch(() => {})
  }, [])
  useEffect(() => {
    const left = new AbortController()
    load(left.signal)
    return () => left.abort()
  }, [load])
  return [community, load]
}
