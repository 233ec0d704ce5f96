import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createExportDownloadLinkEndpoint,
  discardExportEndpoint,
  requestExportEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { exportQuery } from './export-queries.ts'

export function useRequestExport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApiOperation(requestExportEndpoint, {}),
    onSuccess: (asked) => client.setQueryData(exportQuery.queryKey, asked),
    onError: () => client.invalidateQueries({ queryKey: exportQuery.queryKey }),
  })
}

export function useDiscardExport() {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(discardExportEndpoint, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: exportQuery.queryKey }),
  })
}

/** @param withReauthentication runs a call, with re-authentication if the server requires it */
export function useDownloadExport(withReauthentication: <T>(call: () => Promise<T>) => Promise<T>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(createExportDownloadLinkEndpoint, {})),
    onSuccess: ({ path }) => {
      const link = document.createElement('a')
      link.href = path
      link.download = ''
      link.click()
    },
    onError: () => client.invalidateQueries({ queryKey: exportQuery.queryKey }),
  })
}
