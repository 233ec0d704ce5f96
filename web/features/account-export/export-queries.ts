/** The member's copy of everything: how far it is, and what can be done with it. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  askExportEndpoint,
  discardExportEndpoint,
  getExportEndpoint,
  openExportEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'

/** Between two looks while a copy is gathered. */
const pollMs = 2000

export const exportQuery = queryOptions({
  queryKey: [...settingsQueryKeys.all, 'export'],
  queryFn: ({ signal }) => callApiOperation(getExportEndpoint, {}, signal),
  refetchInterval: ({ state }) => (state.data?.export?.state === 'gathering' ? pollMs : false),
  // Of photos that are deleted elsewhere nothing is told here.
  staleTime: 0,
})

export function useAskExport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApiOperation(askExportEndpoint, {}),
    onSuccess: (asked) => client.setQueryData(exportQuery.queryKey, asked),
    onError: () => client.invalidateQueries({ queryKey: exportQuery.queryKey }),
  })
}

export function useDiscardExport() {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(discardExportEndpoint, {}),
    onSuccess: () => client.setQueryData(exportQuery.queryKey, { export: null }),
  })
}

/** Begins the download in the browser, which goes on by itself. @param withProof asks for a proof where one is needed */
export function useDownloadExport(withProof: <T>(call: () => Promise<T>) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => withProof(() => callApiOperation(openExportEndpoint, {})),
    onSuccess: ({ path }) => {
      const link = document.createElement('a')
      link.href = path
      link.download = ''
      link.click()
    },
    onError: () => client.invalidateQueries({ queryKey: exportQuery.queryKey }),
  })
}
