{{/* The first word of all names. */}}
{{- define "sluice.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels of an object; takes root and component. */}}
{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/part-of: sluice
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* What selects the pods of a component. */}}
{{- define "sluice.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The rooms that run, as a YAML map from name to its values. */}}
{{- define "sluice.rooms" -}}
watcher: {{ .Values.watcher | toJson }}
assigner: {{ .Values.assigner | toJson }}
publisher: {{ .Values.publisher | toJson }}
{{- if .Values.bgp.enabled }}
bgp: {{ .Values.bgp | toJson }}
{{- if .Values.awsSync.enabled }}
aws-sync: {{ .Values.awsSync | toJson }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Which rooms speak to the Kubernetes API. */}}
{{- define "sluice.usesApi" -}}
{{- if has . (list "watcher" "publisher") }}true{{ end -}}
{{- end -}}

{{- define "sluice.image" -}}
{{- $tag := .image.tag | default .appVersion -}}
{{- if .image.digest -}}
{{ printf "%s@%s" .image.repository .image.digest }}
{{- else -}}
{{ printf "%s:%s" .image.repository $tag }}
{{- end -}}
{{- end -}}

{{- define "sluice.prefix" -}}
{{ .Values.config.SLUICE_PREFIX | default "sluice" }}
{{- end -}}

{{- define "sluice.natsUrl" -}}
{{- if .Values.nats.enabled -}}
tls://{{ include "sluice.fullname" . }}-nats.{{ .Release.Namespace }}.svc:4222
{{- else -}}
{{ required "nats.url is needed without nats.enabled" .Values.nats.url }}
{{- end -}}
{{- end -}}

{{/* The Secret with the authority of NATS' certificate, or nothing. */}}
{{- define "sluice.natsCaSecret" -}}
{{- if not .Values.nats.enabled -}}
{{ .Values.nats.externalCaSecret }}
{{- else -}}
{{ .Values.nats.tls.existingSecret | default (printf "%s-nats-tls" (include "sluice.fullname" .)) }}
{{- end -}}
{{- end -}}

{{- define "sluice.podSecurity" -}}
runAsNonRoot: true
{{- with .Values.runAsUser }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "sluice.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
