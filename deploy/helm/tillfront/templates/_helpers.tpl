{{/* The name of everything that this release makes. */}}
{{- define "tillfront.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tillfront.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The pods that serve, without those that migrate. */}}
{{- define "tillfront.serviceSelector" -}}
{{ include "tillfront.selectorLabels" . }}
app.kubernetes.io/component: service
{{- end -}}

{{- define "tillfront.labels" -}}
{{ include "tillfront.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "tillfront.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "tillfront.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "tillfront.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{- printf "%s:%s@%s" .Values.image.repository $tag .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository $tag -}}
{{- end -}}
{{- end -}}

{{/* Stops an installation that lacks what nobody can guess. */}}
{{- define "tillfront.validate" -}}
{{- $_ := required "secrets.existingSecret: name a Secret with the service's secrets" .Values.secrets.existingSecret -}}
{{- $_ := required "config.PUBLIC_BASE_URL: the service's address as payers see it" .Values.config.PUBLIC_BASE_URL -}}
{{- $_ := required "config.GATEWAY_BASE_URL: the gateway's address" .Values.config.GATEWAY_BASE_URL -}}
{{- if .Values.ingress.enabled -}}
{{- $_ := required "config.TRUST_PROXY: with an ingress, the addresses of its controller (CIDR ranges) or a number of hops; without it all payers share one address and its limits" .Values.config.TRUST_PROXY -}}
{{- end -}}
{{- range $name := list "PORT" "MANAGEMENT_PORT" "MERCHANT_PORT" "DATA_DIR" "MIGRATE_ON_START" "SHUTDOWN_GRACE_MS" "GATEWAY_PROFILE" -}}
{{- if hasKey $.Values.config $name -}}
{{- fail (printf "config.%s is the chart's own" $name) -}}
{{- end -}}
{{- end -}}
{{- if lt (int (include "tillfront.graceSeconds" .)) 5 -}}
{{- fail "terminationGracePeriodSeconds: at least 10 more than drainSeconds: the pod needs time to finish what is in flight" -}}
{{- end -}}
{{- if .Values.podDisruptionBudget.enabled -}}
{{- $evicted := int (include "tillfront.evictedAtOnce" .) -}}
{{- $replicas := int (include "tillfront.replicas" .) -}}
{{- if lt $evicted 1 -}}
{{- fail "podDisruptionBudget.maxUnavailable: at least 1 (or 1%), or no node that runs a pod can ever be drained" -}}
{{- end -}}
{{- if and (gt $replicas 1) (ge $evicted $replicas) -}}
{{- fail (printf "podDisruptionBudget.maxUnavailable: below the number of replicas, which is %d at least, or all pods may be evicted at once" $replicas) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Seconds of terminationGracePeriodSeconds that are left to finish what is in flight. */}}
{{- define "tillfront.graceSeconds" -}}
{{- sub (sub .Values.terminationGracePeriodSeconds .Values.drainSeconds) 5 -}}
{{- end -}}

{{/* The least number of pods. */}}
{{- define "tillfront.replicas" -}}
{{- ternary .Values.autoscaling.minReplicas .Values.replicaCount .Values.autoscaling.enabled -}}
{{- end -}}

{{/* How many of the least number of pods the disruption budget lets go; of per cents Kubernetes rounds up. */}}
{{- define "tillfront.evictedAtOnce" -}}
{{- $budget := printf "%v" .Values.podDisruptionBudget.maxUnavailable -}}
{{- $number := atoi (trimSuffix "%" $budget) -}}
{{- $replicas := int (include "tillfront.replicas" .) -}}
{{- ternary (div (add (mul $number $replicas) 99) 100) $number (hasSuffix "%" $budget) -}}
{{- end -}}

{{/* The port of an address. */}}
{{- define "tillfront.portOf" -}}
{{- regexReplaceAll "^https?://[^/?#]*?(?::([0-9]+))?(?:[/?#].*)?$" . "${1}" | default (ternary "443" "80" (hasPrefix "https:" .)) -}}
{{- end -}}

{{/* The ports of the gateway, of the merchant's server, and those that the values name, each once and separated by commas. */}}
{{- define "tillfront.httpsPorts" -}}
{{- $gateway := .Values.config.GATEWAY_BASE_URL -}}
{{- $webhook := default $gateway .Values.config.MERCHANT_WEBHOOK_URL -}}
{{- $own := list (include "tillfront.portOf" $gateway) (include "tillfront.portOf" $webhook) -}}
{{- concat $own .Values.networkPolicy.httpsPorts | toStrings | uniq | join "," -}}
{{- end -}}

{{/* The environment of the pods and of the migration: variables, and the paths of the secrets. */}}
{{- define "tillfront.env" -}}
- name: NODE_ENV
  value: production
- name: MIGRATE_ON_START
  value: "false"
{{- range $name, $value := .Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range .Values.secrets.names }}
- name: {{ . }}_FILE
  value: /run/secrets/tillfront/{{ . }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "tillfront.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "tillfront.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "tillfront.secretsVolume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secrets.existingSecret | quote }}
    # 0440
    defaultMode: 288
{{- end -}}

{{- define "tillfront.secretsMount" -}}
- name: secrets
  mountPath: /run/secrets/tillfront
  readOnly: true
{{- end -}}
