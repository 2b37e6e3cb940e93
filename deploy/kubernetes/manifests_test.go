// Package kubernetes tests the manifests. It is a separate module, so that the server does not depend
// on the types of Kubernetes.
package kubernetes

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// TestManifests checks that Kubernetes can decode the manifests, which have no unknown fields, that their parts fit
// together, and that an update loses no match.
func TestManifests(t *testing.T) {
	var set apps.StatefulSet
	var service, nodes core.Service
	var budget policy.PodDisruptionBudget
	decode(t, "statefulset.yaml", &set)
	decode(t, "services.yaml", &service, &nodes)
	decode(t, "disruption.yaml", &budget)
	var list struct {
		APIVersion, Kind, Namespace string
		Resources                   []string
		Images                      []struct{ Name, NewName, NewTag string }
	}
	decode(t, "kustomization.yaml", &list)
	pod := set.Spec.Template
	c := pod.Spec.Containers[0]
	if len(list.Resources) != 3 || len(list.Images) != 1 || list.Images[0].Name != c.Image || set.Spec.ServiceName != nodes.Name {
		t.Errorf("%+v does not fit the image %s and the service %s", list, c.Image, set.Spec.ServiceName)
	}
	for _, selector := range []map[string]string{
		set.Spec.Selector.MatchLabels, budget.Spec.Selector.MatchLabels, service.Spec.Selector, nodes.Spec.Selector,
	} {
		if len(selector) == 0 || !maps.Equal(selector, pod.Labels) {
			t.Errorf("a selector has %v, and pods have %v", selector, pod.Labels)
		}
	}
	var ports []string // that others use
	for _, p := range []*core.Probe{c.ReadinessProbe, c.StartupProbe, c.LivenessProbe} {
		ports = append(ports, p.HTTPGet.Port.String())
	}
	for _, p := range slices.Concat(service.Spec.Ports, nodes.Spec.Ports) {
		ports = append(ports, p.TargetPort.String())
	}
	for _, name := range ports {
		if !slices.ContainsFunc(c.Ports, func(p core.ContainerPort) bool { return p.Name == name }) {
			t.Errorf("the container has no port %s", name)
		}
	}
	const drain = 30 // seconds, the server's default
	if least := c.Lifecycle.PreStop.Sleep.Seconds + drain; *pod.Spec.TerminationGracePeriodSeconds <= least {
		t.Errorf("pods have %d seconds to end, and need more than %d", *pod.Spec.TerminationGracePeriodSeconds, least)
	}
}

// decode decodes a file's documents.
func decode(t *testing.T, file string, to ...any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != len(to) {
		t.Fatalf("%s has %d documents, want %d", file, len(documents), len(to))
	}
	for i, document := range documents {
		if err := yaml.UnmarshalStrict(document, to[i]); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}

// TestOtherFiles checks the syntax of the YAML files that only other services read.
func TestOtherFiles(t *testing.T) {
	for _, pattern := range []string{"../compose/*.yaml", "../../.github/*.yml", "../../.github/*/*.yml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %q, %v", pattern, files, err)
		}
		for _, file := range files {
			decode(t, file, &map[string]any{})
		}
	}
}
