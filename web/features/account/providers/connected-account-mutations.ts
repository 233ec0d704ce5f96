import { connectIdentityEndpoint, disconnectIdentityEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import {
  toastUnlessCancelled,
  useSettingsRefresh,
  type WithReauthentication,
} from '#web/features/account/settings/account-security-mutations.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

function toastRefusal(error: Error) {
  const isShown =
    error instanceof ApiError &&
    ['user_last_way_in', 'user_oauth2_provider_error', 'project_provider_disabled'].includes(error.type)
  if (isShown) toast({ title: en('Error', 'Error'), text: error.message, kind: 'destructive' })
  else toastUnlessCancelled(error)
}

/** The provider sends the browser back to the settings. */
export function useConnectProvider(withReauthentication: WithReauthentication) {
  return useSingleFlightMutation({
    mutationFn: (provider: string) =>
      withReauthentication(() => callApiOperation(connectIdentityEndpoint, { provider })),
    onSuccess: ({ url }) => location.assign(url),
    onError: toastRefusal,
  })
}

export function useDisconnectIdentity(withReauthentication: WithReauthentication, onDone: () => void) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (identityId: string) =>
      withReauthentication(() => callApiOperation(disconnectIdentityEndpoint, { identityId })),
    onSuccess: async () => {
      await refresh()
      onDone()
    },
    onError: toastRefusal,
  })
}
