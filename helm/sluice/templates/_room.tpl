{{/* Environment of a room; the chart's own settings cannot be overridden by the ConfigMap. */}}
{{- define "sluice.roomEnv" -}}
{{- $full := include "sluice.fullname" .root -}}
- name: NATS_URL
  value: {{ include "sluice.natsUrl" .root | quote }}
- name: NATS_USER
  valueFrom:
    secretKeyRef: { name: {{ $full }}-nats-{{ .room }}, key: username }
- name: NATS_PASSWORD
  valueFrom:
    secretKeyRef: { name: {{ $full }}-nats-{{ .room }}, key: password }
{{- if include "sluice.natsCaSecret" .root }}
- name: NATS_CA
  value: /etc/sluice/nats/ca.crt
{{- end }}
{{- $nats := .root.Values.nats }}
- name: SLUICE_LOG_REPLICAS
  value: {{ ternary $nats.replicas $nats.externalReplicas $nats.enabled | toString | quote }}
# Only the publisher, who hears everything anyway, may make streams.
- name: SLUICE_LOG_STREAMS
  value: {{ ternary "make" "wait" (eq .room "publisher") }}
- name: SLUICE_INSTANCE
  valueFrom:
    fieldRef: { fieldPath: metadata.uid }
{{- if eq .room "publisher" }}
- name: SLUICE_LOG_RECORD
  value: {{ .root.Release.Namespace }}/{{ $full }}-log
{{- end }}
- name: SLUICE_HEALTH_PORT
  value: "8080"
{{- if eq .room "watcher" }}
- name: SLUICE_PROBE_SETTINGS
  value: /etc/sluice/probes/probes.yaml
{{- if .values.probeCaSecret }}
- name: SLUICE_PROBE_CA_FILE
  value: /etc/sluice/probe-ca/ca.crt
{{- end }}
{{- end }}
{{- if and (eq .room "aws-sync") .values.roleArn }}
- name: AWS_ROLE_ARN
  value: {{ .values.roleArn | quote }}
- name: AWS_WEB_IDENTITY_TOKEN_FILE
  value: /var/run/secrets/aws/token
{{- end }}
{{- with .values.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sluice.roomMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "sluice.natsCaSecret" .root }}
- name: nats-ca
  mountPath: /etc/sluice/nats
  readOnly: true
{{- end }}
{{- if eq .room "watcher" }}
- name: probes
  mountPath: /etc/sluice/probes
  readOnly: true
{{- if .values.probeCaSecret }}
- name: probe-ca
  mountPath: /etc/sluice/probe-ca
  readOnly: true
{{- end }}
{{- end }}
{{- if and (eq .room "aws-sync") .values.roleArn }}
- name: aws-token
  mountPath: /var/run/secrets/aws
  readOnly: true
{{- end }}
{{- end -}}

{{- define "sluice.roomVolumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 16Mi }
{{- with include "sluice.natsCaSecret" .root }}
- name: nats-ca
  secret:
    secretName: {{ . }}
    # Never the key.
    items: [{ key: ca.crt, path: ca.crt }]
{{- end }}
{{- if eq .room "watcher" }}
- name: probes
  configMap:
    name: {{ include "sluice.fullname" .root }}-probes
{{- with .values.probeCaSecret }}
- name: probe-ca
  secret:
    secretName: {{ . }}
    items: [{ key: ca.crt, path: ca.crt }]
{{- end }}
{{- end }}
{{- if and (eq .room "aws-sync") .values.roleArn }}
- name: aws-token
  projected:
    sources:
      - serviceAccountToken:
          path: token
          audience: {{ .values.audience }}
          expirationSeconds: 3600
{{- end }}
{{- end -}}
