// Package kubernetes has only tests: they decode the manifests as Kubernetes would. It is a
// separate module, so that the server does not depend on the types of Kubernetes.
package kubernetes
