
	/host:CPU"
MatMul