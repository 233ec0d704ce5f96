import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelEmailChangeEndpoint,
  changePasswordEndpoint,
  renewRecoveryCodesEndpoint,
  requestEmailChangeEndpoint,
  requestEmailConfirmationEndpoint,
  signOutDeviceEndpoint,
  signOutOtherDevicesEndpoint,
  turnOffTwoFactorEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { ReauthenticationCancelled } from './use-reauthentication.tsx'

export type WithReauthentication = <T>(call: () => Promise<T>) => Promise<T>

export function toastUnlessCancelled(error: unknown) {
  if (error instanceof ReauthenticationCancelled) return
  const isTooMany = error instanceof ApiError && error.code === 429
  const text = isTooMany
    ? en(
        'You’ve requested too many links. Try again in an hour.',
        'Has pedido demasiados enlaces. Prueba dentro de una hora.',
      )
    : genericErrorMessage
  toast({ title: en('Error', 'Error'), text, kind: 'destructive' })
}

export function useSettingsRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: settingsQueryKeys.all })
}

export function useChangePassword(withReauthentication: WithReauthentication, onDone: () => void) {
  const refresh = useSettingsRefresh()
  return useMutation({
    mutationFn: (given: { currentPassword?: string; password: string }) =>
      withReauthentication(() => callApiOperation(changePasswordEndpoint, given)),
    onSuccess: () => {
      toast({
        text: en(
          'Your password was changed. Other devices were logged out.',
          'Cambiaste tu contraseña. Los demás dispositivos tienen que volver a entrar.',
        ),
      })
      onDone()
      return refresh()
    },
  })
}

export function useRequestEmailChange(withReauthentication: WithReauthentication, onDone: () => void) {
  const client = useQueryClient()
  const refresh = useSettingsRefresh()
  return useMutation({
    mutationFn: (given: { email: string; password?: string }) =>
      withReauthentication(() => callApiOperation(requestEmailChangeEndpoint, given)),
    onSuccess: ({ email, pendingEmail }) => {
      client.setQueryData(signedInMemberQuery.queryKey, (me) => me && { ...me, email })
      if (pendingEmail === null)
        toast({ text: en(`Your email is now ${email}`, `Tu correo es ahora ${email}`) })
      onDone()
      return refresh()
    },
  })
}

export function useResendEmailChange(withReauthentication: WithReauthentication) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (email: string) =>
      withReauthentication(() => callApiOperation(requestEmailChangeEndpoint, { email })),
    onSuccess: (_answer, email) => {
      toast({ text: en(`We sent a link to ${email}.`, `Enviamos un enlace a ${email}.`) })
      return refresh()
    },
    onError: toastUnlessCancelled,
  })
}

export function useCancelEmailChange() {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(cancelEmailChangeEndpoint, {}),
    onSuccess: refresh,
    onError: toastUnlessCancelled,
  })
}

export function useRequestEmailConfirmation() {
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(requestEmailConfirmationEndpoint, {}),
    onError: toastUnlessCancelled,
  })
}

export function useSignOutDevice() {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (deviceId: string) => callApiOperation(signOutDeviceEndpoint, { deviceId }),
    onSuccess: refresh,
    onError: toastUnlessCancelled,
  })
}

export function useSignOutOtherDevices(withReauthentication: WithReauthentication) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(signOutOtherDevicesEndpoint, {})),
    onSuccess: () => {
      toast({ text: en('Logged out everywhere else.', 'Sesión cerrada en los demás dispositivos.') })
      return refresh()
    },
    onError: toastUnlessCancelled,
  })
}

export function useTurnOffTwoFactor(withReauthentication: WithReauthentication) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(turnOffTwoFactorEndpoint, {})),
    onSuccess: () => {
      toast({ text: en('Two-step verification is off.', 'La verificación en dos pasos está desactivada.') })
      return refresh()
    },
    onError: toastUnlessCancelled,
  })
}

export function useRenewRecoveryCodes(withReauthentication: WithReauthentication) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(renewRecoveryCodesEndpoint, {})),
    onSuccess: refresh,
    onError: toastUnlessCancelled,
  })
}
